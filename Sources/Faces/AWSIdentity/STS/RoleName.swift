import Federation
import WireFormats

/// The account and name in a role's ARN: `arn:aws:iam::<12 digits>:role/<path><name>`; Ceph's may lack the account.
/// (IAM User Guide, "IAM ARNs".)
struct RoleName {
    var account: String

    /// Parses an ARN; `nil` if the text is not the ARN of a role.
    init?(arn: String, _ dialect: Dialect) {
        // Parsed in place: splitting a text into parts takes ten times as long.
        var arn = arn
        let account = arn.withUTF8 { arn -> String? in
            var start = 0
            func field() -> Slice<UnsafeBufferPointer<UInt8>> {
                let end = arn.place(of: UInt8(ascii: ":"), from: start)
                defer { start = min(end + 1, arn.count) }
                return arn[start..<end]
            }
            guard field().elementsEqual("arn".utf8), field().starts(with: "aws".utf8), field().elementsEqual("iam".utf8), field().isEmpty
            else { return nil }
            let account = field()
            guard account.count == 12 || account.isEmpty && dialect == .ceph, account.allSatisfy({ (0x30...0x39).contains($0) }),
                arn[start...].starts(with: "role/".utf8), arn.last != UInt8(ascii: "/")
            else { return nil }
            return String(decoding: UnsafeBufferPointer(rebasing: account), as: UTF8.self)
        }
        guard let account else { return nil }
        self.account = account
    }
}
