/// Who makes a request, with everything that the Principal element of a policy can name about them.
package struct Principal: Hashable, Sendable {
    /// What kind of principal, with its ARNs as policies spell them and its unique id (`AIDA…`, `AROA…`).
    package enum Identity: Hashable, Sendable {
        /// No credentials.
        case anonymous
        /// The root user of the account.
        case root
        /// An IAM user, with long-term or GetSessionToken credentials.
        case user(arn: String, id: String)
        /// A session of a role: the role's ARN and id, and the session's `arn:aws:sts::…:assumed-role/role/session`.
        case assumedRole(roleARN: String, roleID: String, sessionARN: String)
        /// A session that a user made with GetFederationToken: `arn:aws:sts::…:federated-user/name`, and the user behind it.
        case federatedUser(sessionARN: String, userARN: String, userID: String)
        /// Somebody who presents a token or an assertion and has no credentials yet: the shared provider's name
        /// (`graph.facebook.com`) or the ARN of the OIDC or SAML provider.
        case federated(provider: String)
        /// A service such as `ec2.amazonaws.com`.
        case service(String)
    }

    /// Who the principal is.
    package var identity: Identity
    /// The account that the principal belongs to; nil for anonymous callers and services.
    package var account: String?
    /// The account's canonical user id, where the CanonicalUser principal is to match.
    package var canonicalUserID: String?

    package init(_ identity: Identity, account: String? = nil, canonicalUserID: String? = nil) {
        self.identity = identity
        self.account = account
        self.canonicalUserID = canonicalUserID
    }

    /// A caller without credentials.
    package static let anonymous = Principal(.anonymous)

    /// Whether an account's id has the sixteen digits of Alibaba Cloud's.
    static func isAlibabaAccount(_ id: String) -> Bool { id.utf8.count == 16 && id.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// The ARN or name by which AWS or Alibaba Cloud speaks of the principal in a refusal.
    package var name: String {
        switch identity {
        case .anonymous: "anonymous"
        case .root: Self.isAlibabaAccount(account ?? "") ? "acs:ram::\(account ?? ""):root" : "arn:aws:iam::\(account ?? ""):root"
        case .user(let arn, _): arn
        case .assumedRole(_, _, let sessionARN): sessionARN
        case .federatedUser(let sessionARN, _, _): sessionARN
        case .federated(let provider): provider
        case .service(let name): name
        }
    }

    /// Whether the principal's own policies have a say: not for callers that have no credentials of an account.
    var hasIdentityPolicies: Bool {
        switch identity {
        case .anonymous, .federated, .service: false
        case .root, .user, .assumedRole, .federatedUser: true
        }
    }
}
