import WireFormats

/// Whose cloud an account belongs to. Its identifier tells: Alibaba Cloud's accounts have sixteen digits, AWS's twelve.
package enum Vendor: Hashable, Sendable {
    case aws
    case alibaba

    /// In the place of an account where a caller has none: the owner of what anonymous callers wrote.
    package static let anonymous = "anonymous"

    /// The owner, in place of an account, of the policies that Alibaba Cloud itself keeps.
    package static let alibabaSystem = "system"

    /// - Parameter account: the identifier of an account, or what stands in its place.
    package init(account: String) {
        self = account.utf8.count == 16 || account == Self.alibabaSystem ? .alibaba : .aws
    }
}

/// The ARN of an identity, or of what belongs to identities: `arn:aws:iam::<account>:<kind><path><name>`, and at Alibaba Cloud
/// `acs:ram::<account>:<kind><path><name>`. (IAM User Guide, "IAM ARNs"; RAM User Guide, "Policy elements", `Resource`.)
package func identityARN(_ account: String, _ kind: String, _ pathAndName: String) -> String {
    switch Vendor(account: account) {
    case .aws: String(joining: "arn:aws:iam::", account, ":", kind, pathAndName)
    case .alibaba: String(joining: "acs:ram::", account, ":", kind, pathAndName)
    }
}
