import WireFormats

/// The vendor of an account's cloud. It follows from the identifier: Alibaba Cloud's accounts have sixteen digits, AWS's twelve.
package enum Vendor: Hashable, Sendable {
    case aws
    case alibaba

    /// The owner, instead of an account, of what anonymous callers wrote.
    package static let anonymous = "anonymous"

    /// The owner, instead of an account, of Alibaba Cloud's system policies.
    package static let alibabaSystem = "system"

    /// - Parameter account: the identifier of an account, or one of the special owners.
    package init(account: String) {
        self = account.utf8.count == 16 || account == Self.alibabaSystem ? .alibaba : .aws
    }
}

/// Returns the ARN of an identity or of a resource that belongs to it: `arn:aws:iam::<account>:<kind><path><name>`, and at
/// Alibaba Cloud `acs:ram::<account>:<kind><path><name>`. (IAM User Guide, "IAM ARNs"; RAM User Guide, "Policy elements", `Resource`.)
package func identityARN(_ account: String, _ kind: String, _ pathAndName: String) -> String {
    switch Vendor(account: account) {
    case .aws: String(joining: "arn:aws:iam::", account, ":", kind, pathAndName)
    case .alibaba: String(joining: "acs:ram::", account, ":", kind, pathAndName)
    }
}
