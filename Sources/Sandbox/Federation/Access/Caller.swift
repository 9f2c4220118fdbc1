package import Directory
package import Policy
import WireFormats

/// The identity that makes a request, as proven by its signature; anonymous without one.
///
/// Indirect, because every step of a request passes the caller on, and an account alone has a dozen references.
package indirect enum Caller: Sendable {
    case anonymous
    /// The root user of an account, with a session if the credentials come from GetSessionToken.
    case root(Account, Session?)
    /// A user, with a session if the credentials come from GetSessionToken.
    case user(UserEntry, Session?)
    /// Temporary credentials of a role.
    case role(RoleEntry, Session)
    /// Credentials from GetFederationToken: the name in the session, and the user or account that created it.
    case federatedUser(FederatedUser, Session)

    /// A federated user, for whom a user or the root user of an account requested credentials.
    package struct FederatedUser: Sendable {
        /// The name that `GetFederationToken` was called with.
        package var name: String
        /// The number of the account.
        package var account: String
        /// The user that requested the credentials; `nil` for the root user.
        package var user: UserEntry?

        package init(name: String, account: String, user: UserEntry?) {
            self.name = name
            self.account = account
            self.user = user
        }

        /// `arn:aws:sts::<account>:federated-user/<name>`
        package var arn: String { "arn:aws:sts::\(account):federated-user/\(name)" }
    }

    /// The session of temporary credentials; `nil` for long-term ones.
    package var session: Session? {
        switch self {
        case .anonymous: nil
        case .root(_, let session), .user(_, let session): session
        case .role(_, let session), .federatedUser(_, let session): session
        }
    }

    /// The account that the caller belongs to; `nil` for an anonymous one.
    package var account: String? {
        switch self {
        case .anonymous: nil
        case .root(let account, _): account.id
        case .user(let user, _): user.user.account
        case .role(let role, _): role.role.account
        case .federatedUser(let federated, _): federated.account
        }
    }

    /// The ARN that `GetCallerIdentity` and messages show; `nil` for an anonymous caller.
    package var arn: String? {
        switch self {
        case .anonymous: nil
        case .root(let account, _): account.rootARN
        case .user(let user, _): user.arn
        case .role(_, let session): session.principal.name
        case .federatedUser(let federated, _): federated.arn
        }
    }

    /// `aws:userid` and `GetCallerIdentity`'s `UserId`.
    /// (IAM User Guide, "Information available in all requests".)
    package var userID: String {
        switch self {
        case .anonymous: "anonymous"
        case .root(let account, _): account.id
        case .user(let user, _): user.user.id
        case .role(let role, let session): "\(role.role.id):\(session.credentials.sessionName)"
        case .federatedUser(let federated, _): "\(federated.account):\(federated.name)"
        }
    }
}

/// The session of temporary credentials: the contents of the session token and the compiled session policies.
package final class Session: Sendable {
    /// The contents of the session token.
    package let credentials: SessionCredentials
    /// The session policies, compiled; `nil` if the session was made without any.
    package let policies: [AttachedPolicy]?
    /// The policies of GetScopedCredentials, compiled. Each must allow a request, in addition to all others.
    package let scopes: [AttachedPolicy]
    /// The principal for policy evaluation.
    package let principal: Principal
    /// The session's claims as condition keys.
    package let keys: ConditionKeys

    /// Creates a session.
    /// - Parameters:
    ///   - policies: the session policies, or `nil` if the session has none.
    ///   - scopes: the policies of GetScopedCredentials.
    package init(credentials: SessionCredentials, policies: [AttachedPolicy]?, scopes: [AttachedPolicy] = []) {
        self.credentials = credentials
        self.policies = policies
        self.scopes = scopes
        principal = credentials.holder.principal
        var keys = ConditionKeys()
        keys.add(credentials.claims)
        self.keys = keys
    }
}

extension SessionCredentials.Holder {
    /// The ARNs of the session itself; empty for sessions of a user or of the root user, which have the ARN of their holder.
    ///
    /// Alibaba Cloud's AssumeRole returns `acs:ram::<account>:role/<role>/<session>`, and its GetCallerIdentity returns another ARN.
    package var sessionARNs: [String] {
        switch self {
        case .role(let arn, _, let session):
            let name = Directory.PrincipalName(arn: arn).map { Role.sessionARN(session, of: $0.name, in: $0.account) }
            return [name, arn.hasPrefix("acs:") ? "\(arn)/\(session)" : nil].compactMap(\.self)
        case .federatedUser(let name, let account, _): return [Caller.FederatedUser(name: name, account: account, user: nil).arn]
        case .root, .user: return []
        }
    }

    fileprivate var principal: Principal {
        switch self {
        case .root(let account): return Principal(.root, account: account)
        case .user(let arn, let id): return Principal(.user(arn: arn, id: id), account: Directory.PrincipalName(arn: arn)?.account)
        case .role(let arn, let id, let session):
            let name = Directory.PrincipalName(arn: arn)
            let sessionARN = name.map { Role.sessionARN(session, of: $0.name, in: $0.account) } ?? arn
            return Principal(.assumedRole(roleARN: arn, roleID: id, sessionARN: sessionARN), account: name?.account)
        case .federatedUser(let name, let account, let creator):
            let federated = Caller.FederatedUser(name: name, account: account, user: nil)
            return Principal(
                .federatedUser(
                    sessionARN: federated.arn, userARN: creator?.arn ?? "arn:aws:iam::\(account):root", userID: creator?.id ?? account),
                account: account)
        }
    }
}

extension ConditionKeys {
    mutating func add(_ claims: [SessionCredentials.Claim]) {
        for claim in claims {
            if claim.isOfTags {
                set(claim.key, to: claim.values.count == 1 ? .one(claim.values[0]) : .any(claim.values))
            } else if claim.values.count == 1, claim.isMultivalued == false {
                set(claim.key, to: claim.values[0])
            } else {
                set(claim.key, to: claim.values)
            }
        }
    }
}

extension SessionCredentials.Claim {
    /// Whether the key is always a list, even with one value.
    fileprivate var isMultivalued: Bool { key.hasSuffix(":amr") || SAMLSessionAttributes.isList(key) }

    /// Whether the claim is a session tag or, in Ceph's dialect only, the list of tag keys.
    fileprivate var isOfTags: Bool { key.hasPrefix("aws:PrincipalTag/") || key == "aws:TagKeys" }
}

extension Role {
    /// Returns `arn:aws:sts::<account>:assumed-role/<role name>/<session name>`, without the role's path. At Alibaba Cloud the ARN begins
    /// with `acs:ram::`.
    package func sessionARN(_ session: String) -> String { Self.sessionARN(session, of: name, in: account) }

    fileprivate static func sessionARN(_ session: String, of name: String, in account: String) -> String {
        switch Vendor(account: account) {
        case .aws: String(joining: "arn:aws:sts::", account, ":assumed-role/", name, "/", session)
        case .alibaba: String(joining: "acs:ram::", account, ":assumed-role/", name, "/", session)
        }
    }
}

extension Caller {
    /// The principal for policy evaluation.
    package var principal: Principal {
        switch self {
        case .anonymous: .anonymous
        case .root(let account, _): Principal(.root, account: account.id)
        case .user(let user, _): Principal(.user(arn: user.arn, id: user.user.id), account: user.user.account)
        case .role(_, let session), .federatedUser(_, let session): session.principal
        }
    }

    /// The caller's own policies: those of the user or role, and the session policies.
    package var policies: PolicySet {
        var policies = ownPolicies
        if let session { policies.scopes = session.scopes }
        if let account { policies.rule = EvaluationRule(account: account) }
        return policies
    }

    private var ownPolicies: PolicySet {
        switch self {
        case .anonymous, .root: return PolicySet()
        case .user(let user, _): return PolicySet(identity: user.policies.identity, boundary: user.policies.boundary)
        case .role(let role, let session):
            return PolicySet(identity: role.policies.identity, boundary: role.policies.boundary, session: session.policies)
        case .federatedUser(let federated, let session):
            // The root user may do everything, so the session's policies are what it allows.
            guard let user = federated.user else {
                return PolicySet(identity: session.policies ?? [], session: session.policies)
            }
            return PolicySet(identity: user.policies.identity, boundary: user.policies.boundary, session: session.policies)
        }
    }
}

extension EvaluationRule {
    /// The rule of the vendor that an account belongs to.
    init(account: String) { self = Vendor(account: account) == .alibaba ? .ram : .aws }
}
