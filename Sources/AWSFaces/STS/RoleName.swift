/// What the ARN of a role says: `arn:aws:iam::<12 digits>:role/<path><name>`; those of Ceph may lack the digits.
/// (IAM User Guide, "IAM ARNs".)
struct RoleName {
    var account: String

    /// Nothing if the text is not the ARN of a role.
    init?(arn: String, _ dialect: Dialect) {
        // In place: to split a text into parts takes ten times as long.
        var rest = arn.utf8[...]
        func field() -> Substring.UTF8View? {
            guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            defer { rest = rest[colon...].dropFirst() }
            return rest[..<colon]
        }
        guard let scheme = field(), scheme.elementsEqual("arn".utf8), let partition = field(), partition.starts(with: "aws".utf8),
            let service = field(), service.elementsEqual("iam".utf8), let region = field(), region.isEmpty, let account = field(),
            account.count == 12 || account.isEmpty && dialect == .ceph, account.allSatisfy({ (0x30...0x39).contains($0) }),
            rest.starts(with: "role/".utf8), rest.last != UInt8(ascii: "/")
        else { return nil }
        self.account = String(Substring(account))
    }
}
