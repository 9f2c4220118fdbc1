import WireFormats

/// One entry of a Principal or NotPrincipal element (IAM User Guide, "AWS JSON policy elements: Principal").
enum PrincipalElement: Hashable, Sendable {
    case everyone
    /// The id of an account or its root ARN: the account and all principals that it allows.
    case account(String)
    /// An IAM user or role; `id` is set once the policy is bound to the principal that existed when it was saved.
    case user(arn: String, id: String?)
    case role(arn: String, id: String?)
    /// A role session or federated-user session.
    case session(arn: String)
    /// Sessions of roles whose ARNs match a pattern, as in bucket policies of Alibaba Cloud.
    case sessions(Pattern)
    /// The unique id of a user or role. AWS shows it after the principal was deleted; bucket policies of Alibaba Cloud name users by it.
    case uniqueID(String)
    case federated(String)
    case service(String)
    case everyService
    case canonicalUser(String)

    /// Parses an entry under the key `AWS`; nil for an invalid form, such as a partial wildcard.
    init?(aws text: String, _ dialect: PolicyDialect = .aws) {
        if text == "*" {
            self = .everyone
            return
        }
        if Self.isAccountID(text) {
            self = .account(text)
            return
        }
        let isUniqueID = text.utf8.count >= 16 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
        if isUniqueID, text.hasPrefix("AIDA") || text.hasPrefix("AROA") {
            self = .uniqueID(text)
            return
        }
        guard let arn = ARNFields(text), arn.fields[1].hasPrefix("aws"), arn.fields[3].isEmpty, Self.isAccountInARN(arn.fields[4], dialect),
            !text.utf8.contains(where: { "*?".utf8.contains($0) })
        else { return nil }
        let resource = arn.fields[5]
        let nameParts = resource.split(separator: "/", omittingEmptySubsequences: false)
        switch (arn.fields[2], nameParts[0]) {
        case ("iam", "root") where nameParts.count == 1: self = .account(String(arn.fields[4]))
        case ("iam", "user") where nameParts.count > 1 && !nameParts.contains(""): self = .user(arn: text, id: nil)
        case ("iam", "role") where nameParts.count > 1 && !nameParts.contains(""): self = .role(arn: text, id: nil)
        // Ceph's form of a session ARN. The session itself has an ARN as at AWS.
        case ("iam", "assumed-role") where arn.fields[4].isEmpty && nameParts.count == 3 && !nameParts.contains(""):
            self = .session(arn: "arn:\(arn.fields[1]):sts:::\(resource)")
        case ("sts", "assumed-role") where nameParts.count == 3 && !nameParts.contains(""): self = .session(arn: text)
        case ("sts", "federated-user") where nameParts.count == 2 && !nameParts.contains(""): self = .session(arn: text)
        default: return nil
        }
    }

    /// Parses an entry under the key `Federated`: the name of a shared provider or the ARN of one in IAM.
    init?(federated text: String, _ dialect: PolicyDialect = .aws) {
        if let arn = ARNFields(text) {
            let isProvider = arn.fields[5].hasPrefix("oidc-provider/") || arn.fields[5].hasPrefix("saml-provider/")
            guard arn.fields[2] == "iam", Self.isAccountInARN(arn.fields[4], dialect), isProvider else { return nil }
        } else {
            guard Self.sharedProviders.contains(text) else { return nil }
        }
        self = .federated(text)
    }

    /// Identity providers that need no provider object in IAM.
    private static let sharedProviders: Set<String> = [
        "accounts.google.com", "cognito-identity.amazonaws.com", "graph.facebook.com", "www.amazon.com",
    ]

    private static func isAccountID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 12 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// Ceph's users need no account, and their ARNs contain none.
    private static func isAccountInARN(_ text: some StringProtocol, _ dialect: PolicyDialect) -> Bool {
        text.isEmpty && dialect == .ceph || isAccountID(text)
    }

    /// The entry in the notation of a policy, for display.
    var written: String {
        switch self {
        case .everyone: "AWS *"
        case .account(let id): "\(Self.service(ofAccount: id)) account \(id)"
        case .user(let arn, nil), .role(let arn, nil), .session(let arn): "\(Self.service(ofARN: arn)) \(arn)"
        case .user(let arn, let id?), .role(let arn, let id?): "\(Self.service(ofARN: arn)) \(arn) (\(id))"
        case .sessions(let pattern): "RAM \(pattern.source)"
        case .uniqueID(let id): "\(Self.service(ofUniqueID: id)) \(id)"
        case .federated(let provider): "Federated \(provider)"
        case .service(let name): "Service \(name)"
        case .everyService: "Service *"
        case .canonicalUser(let id): "CanonicalUser \(id)"
        }
    }

    private static func service(ofARN arn: String) -> String { arn.hasPrefix("acs:") ? "RAM" : "AWS" }

    private static func service(ofAccount id: String) -> String { Principal.isAlibabaAccount(id) ? "RAM" : "AWS" }

    private static func service(ofUniqueID id: String) -> String { id.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "RAM" : "AWS" }

    /// Returns whether a user or role in a policy is that of a caller. The identifier decides if the policy is bound, because a user keeps
    /// it when it is renamed.
    private static func isSame(_ arn: String, _ id: String?, as callerARN: String, _ callerID: String) -> Bool {
        if let id { id == callerID } else { ExactText.equal(arn, callerARN) }
    }

    /// Returns how the entry names the principal; nil if it does not.
    func names(_ principal: Principal) -> Grants? {
        switch (self, principal.identity) {
        // A caller that is not federated yet is authorized only by a statement that names the provider.
        case (.everyone, .federated): return nil
        case (.everyone, _): return .everyone
        case (.account(let id), .root), (.account(let id), .user), (.account(let id), .assumedRole), (.account(let id), .federatedUser):
            return principal.account == id ? .account : nil
        case (.user(let arn, let id), .user(let callerARN, let callerID)):
            return Self.isSame(arn, id, as: callerARN, callerID) ? .user : nil
        case (.user(let arn, let id), .federatedUser(_, let userARN, let userID)):
            return Self.isSame(arn, id, as: userARN, userID) ? .issuingUser : nil
        case (.role(let arn, let id), .assumedRole(let roleARN, let roleID, _)):
            return Self.isSame(arn, id, as: roleARN, roleID) ? .role : nil
        case (.session(let arn), .assumedRole(_, _, let sessionARN)): return ExactText.equal(arn, sessionARN) ? .roleSession : nil
        case (.sessions(let pattern), .assumedRole(_, _, let sessionARN)):
            return pattern.matches(sessionARN, in: ConditionKeys()) ? .roleSession : nil
        case (.session(let arn), .federatedUser(let sessionARN, _, _)): return ExactText.equal(arn, sessionARN) ? .federatedUser : nil
        case (.uniqueID(let id), .user(_, let callerID)): return id == callerID ? .user : nil
        case (.uniqueID(let id), .assumedRole(_, let roleID, _)): return id == roleID ? .role : nil
        case (.federated(let name), .federated(let provider)): return ExactText.equal(name, provider) ? .provider : nil
        case (.service(let name), .service(let caller)): return ExactText.equal(name, caller) ? .service : nil
        case (.everyService, .service): return .service
        case (.canonicalUser(let id), _): return principal.hasIdentityPolicies && principal.canonicalUserID == id ? .account : nil
        default: return nil
        }
    }
}
