/// The vendor's dialect of the policy language.
package enum PolicyDialect: Sendable {
    case aws
    /// The dialect of AWS managed policies: AWS's, but the account of a resource may be `${aws:PrincipalAccount}`.
    case awsManaged
    /// The dialect of RADOS Gateway, which extends AWS's. ARNs of principals may omit the account, a session of a role may be named
    /// `arn:aws:iam:::assumed-role/…`, and the policy of a role may have a Principal element, which is ignored.
    case ceph
    /// The dialect of Alibaba Cloud: version `1`, resources and principals that begin with `acs:`, its own operators and types of
    /// principals, no variables. (RAM User Guide, "Policy structure and syntax".)
    case ram
}
