/// Whose language of policies counts where real services differ.
package enum PolicyDialect: Sendable {
    case aws
    /// RADOS Gateway's beside AWS's: ARNs of principals may name no account, a session of a role may be called
    /// `arn:aws:iam:::assumed-role/…`, and the policy of a user, group or role may have a Principal, which says nothing there.
    case ceph
}
