package import Cloud
package import WireFormats

/// Temporary credentials and the properties of their session.
///
/// The sandbox does not store them: the session token is this record, sealed. The permissions of the role or user are not part of it. They
/// are looked up for each request, so that a changed policy applies immediately and deleting a role ends its sessions.
package struct SessionCredentials: Sendable, Equatable {
    /// `ASIA…`, or `STS.…` at Alibaba Cloud.
    package var accessKeyID: String
    /// The secret with which requests of the session are signed.
    package var secretAccessKey: String
    /// The holder of the session.
    package var holder: Holder
    /// When the credentials were issued.
    package var issued: Timestamp
    /// When the credentials expire.
    package var expires: Timestamp
    /// Condition keys of the federation that later requests of the session have, such as `graph.facebook.com:id`, and the session tags as
    /// `aws:PrincipalTag/<key>`.
    package var claims: [Claim] = []
    /// The keys of the tags that are passed on to sessions created from this one.
    package var transitiveTagKeys: [String] = []
    /// The inline session policies as passed; session policies limit what the role or user allows.
    package var sessionPolicies: [String] = []
    /// ARNs of managed session policies.
    package var sessionPolicyARNs: [String] = []
    /// The policies of GetScopedCredentials, in the order of the calls.
    package var scopes: [String] = []
    /// `aws:SourceIdentity`, if one was set.
    package var sourceIdentity: String?
    /// The time at which an MFA device was used to get the credentials, if one was.
    package var deviceUsed: Timestamp?
    /// Whether a session assumed the role of this one. (IAM User Guide, "Role chaining".)
    package var isChained = false

    /// The holder of the credentials. It has unique identifiers, because a user or role created again with the same name must not inherit
    /// old sessions.
    package enum Holder: Sendable, Equatable {
        case role(arn: String, id: String, sessionName: String)
        /// A user that called GetSessionToken.
        case user(arn: String, id: String)
        /// The root user that called GetSessionToken.
        case root(account: String)
        /// A federated user of GetFederationToken; without a creator, the root user made the call.
        case federatedUser(name: String, account: String, creator: Creator?)
    }

    /// The user that requested credentials for a federated user.
    package struct Creator: Sendable, Equatable {
        /// The ARN of the caller who created the session.
        package var arn: String
        /// The unique identifier of the caller.
        package var id: String

        package init(arn: String, id: String) {
            self.arn = arn
            self.id = id
        }
    }

    /// A condition key with its values, which stay the same throughout a session.
    package struct Claim: Sendable, Equatable {
        /// The condition key.
        package var key: String
        /// The values.
        package var values: [String]

        package init(key: String, values: [String]) {
            self.key = key
            self.values = values
        }
    }

    package init(accessKeyID: String, secretAccessKey: String, holder: Holder, issued: Timestamp, expires: Timestamp) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.holder = holder
        self.issued = issued
        self.expires = expires
    }

    /// Returns when the credentials were issued, as their age makes it appear.
    package func effectiveIssue(by clock: SandboxClock) -> Timestamp { clock.effective(issued) }

    /// Returns when the credentials expire, which agings make earlier.
    package func effectiveExpiry(by clock: SandboxClock) -> Timestamp { clock.effectiveExpiry(expires, issuedAt: issued) }

    /// Returns whether the credentials have expired.
    package func hasExpired(by clock: SandboxClock) -> Bool { clock.hasExpired(expires, issuedAt: issued) }

    /// The name of a role's session or of a federated user; empty for other sessions, which have no name.
    package var sessionName: String {
        switch holder {
        case .role(_, _, let name), .federatedUser(let name, _, _): name
        case .user, .root: ""
        }
    }
}

extension SessionCredentials {
    /// The record as JSON. Member names are short, because clients send them with every request.
    var serialized: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("k", accessKeyID)
            json.member("s", secretAccessKey)
            json.member("h", object: holder.write)
            json.member("t", issued.milliseconds)
            json.member("e", expires.milliseconds)
            if !claims.isEmpty {
                json.member("c", array: { json in for claim in claims { json.element(array: claim.write) } })
            }
            if !transitiveTagKeys.isEmpty { json.member("y", transitiveTagKeys) }
            if !sessionPolicies.isEmpty { json.member("p", sessionPolicies) }
            if !sessionPolicyARNs.isEmpty { json.member("a", sessionPolicyARNs) }
            if !scopes.isEmpty { json.member("l", scopes) }
            if let sourceIdentity { json.member("o", sourceIdentity) }
            if let deviceUsed { json.member("m", deviceUsed.milliseconds) }
            if isChained { json.member("x", 1) }
        }
        return json.bytes
    }

    init?(json: JSONValue) {
        guard let accessKeyID = json["k"]?.stringValue, let secret = json["s"]?.stringValue, let holder = json["h"].flatMap(Holder.init),
            let issued = json["t"]?.integerValue, let expires = json["e"]?.integerValue
        else { return nil }
        self.init(
            accessKeyID: accessKeyID, secretAccessKey: secret, holder: holder, issued: Timestamp(stored: issued),
            expires: Timestamp(stored: expires))
        func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }
        claims =
            json["c"]?.arrayValue?.compactMap { claim in
                let texts = texts(claim)
                return texts.first.map { Claim(key: $0, values: Array(texts.dropFirst())) }
            } ?? []
        transitiveTagKeys = texts(json["y"])
        sessionPolicies = texts(json["p"])
        sessionPolicyARNs = texts(json["a"])
        scopes = texts(json["l"])
        sourceIdentity = json["o"]?.stringValue
        deviceUsed = json["m"]?.integerValue.map(Timestamp.init(stored:))
        isChained = json["x"] != nil
    }
}

extension SessionCredentials.Claim {
    fileprivate func write(to json: inout JSONWriter) {
        json.element(key)
        for value in values { json.element(value) }
    }
}

extension SessionCredentials.Holder {
    /// The account of the holder.
    package var account: String {
        switch self {
        // The account follows `arn:aws:iam::` or `acs:ram::`.
        case .role(let arn, _, _), .user(let arn, _):
            String(
                decoding: arn.utf8.dropFirst(arn.hasPrefix("acs:") ? 9 : 13).prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        case .root(let account), .federatedUser(_, let account, _): account
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .role(let arn, let id, let name):
            json.member("r", arn)
            json.member("i", id)
            json.member("n", name)
        case .user(let arn, let id):
            json.member("u", arn)
            json.member("i", id)
        case .root(let account): json.member("a", account)
        case .federatedUser(let name, let account, let creator):
            json.member("f", name)
            json.member("a", account)
            if let creator {
                json.member("u", creator.arn)
                json.member("i", creator.id)
            }
        }
    }

    fileprivate init?(json: JSONValue) {
        let id = json["i"]?.stringValue
        if let arn = json["r"]?.stringValue, let id, let name = json["n"]?.stringValue {
            self = .role(arn: arn, id: id, sessionName: name)
        } else if let name = json["f"]?.stringValue, let account = json["a"]?.stringValue {
            let creator = json["u"]?.stringValue.flatMap { arn in id.map { SessionCredentials.Creator(arn: arn, id: $0) } }
            self = .federatedUser(name: name, account: account, creator: creator)
        } else if let arn = json["u"]?.stringValue, let id {
            self = .user(arn: arn, id: id)
        } else if let account = json["a"]?.stringValue {
            self = .root(account: account)
        } else {
            return nil
        }
    }
}
