package import Policy
import WireFormats

/// A KMS key that another server has, with the policies that decide about it.
package struct ForwardedKey: Sendable {
    /// The ARN.
    package var arn: String
    /// The account that owns the key.
    package var account: String
    /// The policy of the key; `nil` if it leaves the decision to the account.
    package var policy: AttachedPolicy?
    /// The grants, each as a policy that only allows.
    package var grants: [AttachedPolicy]

    package init(arn: String, account: String, policy: AttachedPolicy?, grants: [AttachedPolicy] = []) {
        self.arn = arn
        self.account = account
        self.policy = policy
        self.grants = grants
    }
}
