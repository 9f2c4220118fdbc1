/// Whose language of policies counts where real services differ.
package enum PolicyDialect: Sendable {
    case aws
    /// That of the policies that AWS itself manages: AWS's, but the account of a resource may be `${aws:PrincipalAccount}`.
    case awsManaged
    /// RADOS Gateway's beside AWS's: ARNs of principals may name no account, a session of a role may be called
    /// `arn:aws:iam:::assumed-role/…`, and the policy of a role may have a Principal, which says nothing there.
    case ceph
    /// Alibaba Cloud's: version `1`, resources and principals that begin with `acs:`, its own operators and types of principals, no
    /// variables. (RAM User Guide, "Policy structure and syntax".)
    case ram
}
