package import Cloud
package import Policy

/// Who makes a request, as far as a signature or its absence has proven it.
package enum Caller: Sendable {
    case anonymous
    /// The root user of an account.
    case root(Account)
    case user(User)
    /// Temporary credentials of a role.
    case session(RoleSession)

    /// The account that the caller belongs to; nothing for an anonymous one.
    package var account: String? {
        switch self {
        case .anonymous: nil
        case .root(let account): account.id
        case .user(let user): user.account
        case .session(let session): session.role.account
        }
    }

    /// The ARN that `GetCallerIdentity` and messages show; nothing for an anonymous caller.
    package var arn: String? {
        switch self {
        case .anonymous: nil
        case .root(let account): account.rootARN
        case .user(let user): user.arn
        case .session(let session): session.arn
        }
    }

    /// `aws:userid` and `GetCallerIdentity`'s `UserId`.
    /// (IAM User Guide, "Information available in all requests".)
    package var userID: String {
        switch self {
        case .anonymous: "anonymous"
        case .root(let account): account.id
        case .user(let user): user.id
        case .session(let session): "\(session.role.id):\(session.credentials.sessionName)"
        }
    }
}

/// A session of a role that exists now: what its credentials say, and the role as it stands.
package struct RoleSession: Sendable {
    package var credentials: SessionCredentials
    /// The session policies, compiled; nothing if the session was made without any.
    package var policies: [AttachedPolicy]?
    package var role: Role

    /// `arn:aws:sts::<account>:assumed-role/<role name>/<session name>`; the role's path does not appear.
    package var arn: String { "arn:aws:sts::\(role.account):assumed-role/\(role.name)/\(credentials.sessionName)" }
}

extension Caller {
    /// The caller as policies name it.
    package var principal: Principal {
        switch self {
        case .anonymous: .anonymous
        case .root(let account): Principal(.root, account: account.id)
        case .user(let user): Principal(.user(arn: user.arn, id: user.id), account: user.account)
        case .session(let session):
            Principal(
                .assumedRole(roleARN: session.role.arn, roleID: session.role.id, sessionARN: session.arn),
                account: session.role.account)
        }
    }

    /// What the caller's own side allows: the user's or role's policies, and what limits a session.
    package var policies: PolicySet {
        switch self {
        case .anonymous, .root: PolicySet()
        case .user(let user): PolicySet(identity: user.policies.map { AttachedPolicy($0.name, $0.document) })
        case .session(let session):
            PolicySet(
                identity: session.role.policies.map { AttachedPolicy($0.name, $0.document) }, session: session.policies)
        }
    }
}
