/// ARNs of users and roles as RADOS Gateway spells them where nobody has an account: `arn:aws:iam:::role/<path><name>`.
struct AccountlessNames {
    /// Whose answers count: AWS knows no such names.
    let dialect: S3Dialect
    /// Whom they are of here: the caller's account.
    let account: String

    private static let head = "arn:aws:iam:::"
    private var completeHead: String { "arn:aws:iam::\(account):" }

    /// A text with its ARNs completed.
    func completed(_ text: String) -> String { dialect == .ceph ? text.replacing(Self.head, with: completeHead) : text }

    /// An ARN of the account without it.
    func shortened(_ arn: String) -> String { dialect == .ceph ? arn.replacing(completeHead, with: Self.head) : arn }
}
