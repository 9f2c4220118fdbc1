import WireFormats

/// The principal of a request, with everything that the Principal element of a policy can name.
package struct Principal: Hashable, Sendable {
    /// The kind of principal, with its ARNs as policies spell them and its unique id (`AIDA…`, `AROA…`).
    package enum Identity: Hashable, Sendable {
        /// A caller without credentials.
        case anonymous
        /// The root user of the account.
        case root
        /// An IAM user, with long-term or GetSessionToken credentials.
        case user(arn: String, id: String)
        /// A session of a role: the role's ARN and id, and the session's `arn:aws:sts::…:assumed-role/role/session`.
        case assumedRole(roleARN: String, roleID: String, sessionARN: String)
        /// A session that a user made with GetFederationToken: `arn:aws:sts::…:federated-user/name`, and that user.
        case federatedUser(sessionARN: String, userARN: String, userID: String)
        /// A caller that presents a token or an assertion and has no credentials yet: the shared provider's name
        /// (`graph.facebook.com`) or the ARN of the OIDC or SAML provider.
        case federated(provider: String)
        /// A service such as `ec2.amazonaws.com`.
        case service(String)
    }

    /// The kind of principal.
    package var identity: Identity
    /// The account that the principal belongs to; nil for anonymous callers and services.
    package var account: String?
    /// The account's canonical user id, with which a CanonicalUser principal is compared.
    package var canonicalUserID: String?

    package init(_ identity: Identity, account: String? = nil, canonicalUserID: String? = nil) {
        self.identity = identity
        self.account = account
        self.canonicalUserID = canonicalUserID
    }

    /// A caller without credentials.
    package static let anonymous = Principal(.anonymous)

    /// Returns whether an account's id has the sixteen digits of an Alibaba Cloud account.
    static func isAlibabaAccount(_ id: String) -> Bool { id.utf8.count == 16 && id.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// The ARN or name of the principal in access denied errors of AWS or Alibaba Cloud.
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

    /// Whether the principal's own policies apply. They do not for callers without credentials of an account.
    var hasIdentityPolicies: Bool {
        switch identity {
        case .anonymous, .federated, .service: false
        case .root, .user, .assumedRole, .federatedUser: true
        }
    }
}
