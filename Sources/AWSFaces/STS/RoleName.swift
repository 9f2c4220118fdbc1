/// What the ARN of a role says: `arn:aws:iam::<12 digits>:role/<path><name>`; those of Ceph may lack the digits.
/// (IAM User Guide, "IAM ARNs".)
struct RoleName {
    var account: String

    /// Nothing if the text is not the ARN of a role.
    init?(arn: String, _ dialect: Dialect) {
        let fields = arn.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0].elementsEqual("arn".utf8), fields[1].starts(with: "aws".utf8),
            fields[2].elementsEqual("iam".utf8), fields[3].isEmpty, fields[4].count == 12 || fields[4].isEmpty && dialect == .ceph,
            fields[4].allSatisfy({ (0x30...0x39).contains($0) }), fields[5].starts(with: "role/".utf8),
            fields[5].last != UInt8(ascii: "/")
        else { return nil }
        account = String(Substring(fields[4]))
    }
}
