package import WireFormats

/// Temporary credentials of a role and all that belongs to their session.
///
/// The sandbox keeps none of it: the session token *is* this record, sealed. The role's permissions are not part of it; they
/// are looked up at each request, so that a changed policy holds at once and a deleted role ends its sessions.
package struct SessionCredentials: Sendable, Equatable {
    /// `ASIA…`
    package var accessKeyID: String
    package var secretAccessKey: String
    package var roleARN: String
    /// The role's unique identifier; a role made again under the same name does not take over old sessions.
    package var roleID: String
    package var sessionName: String
    package var issued: Timestamp
    package var expires: Timestamp
    /// Condition keys of the federation that later requests of the session carry, such as `graph.facebook.com:id`.
    package var claims: [Claim]
    /// The session policies as they were passed; they limit what the role allows.
    package var sessionPolicies: [String]
    /// `aws:SourceIdentity`, if one was set.
    package var sourceIdentity: String?

    /// A condition key with the values that it has throughout a session.
    package struct Claim: Sendable, Equatable {
        package var key: String
        package var values: [String]

        package init(key: String, values: [String]) {
            self.key = key
            self.values = values
        }
    }

    package init(
        accessKeyID: String, secretAccessKey: String, roleARN: String, roleID: String, sessionName: String, issued: Timestamp,
        expires: Timestamp, claims: [Claim], sessionPolicies: [String], sourceIdentity: String?
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.roleARN = roleARN
        self.roleID = roleID
        self.sessionName = sessionName
        self.issued = issued
        self.expires = expires
        self.claims = claims
        self.sessionPolicies = sessionPolicies
        self.sourceIdentity = sourceIdentity
    }
}

extension SessionCredentials {
    /// The record as JSON; member names are short because the client carries them in every request.
    var json: JSONValue {
        var members: JSONObject = [
            "k": .string(accessKeyID), "s": .string(secretAccessKey), "r": .string(roleARN), "i": .string(roleID),
            "n": .string(sessionName), "t": .integer(issued.milliseconds), "e": .integer(expires.milliseconds),
            "c": .object(JSONObject(claims.map { ($0.key, .array($0.values.map(JSONValue.string))) })),
        ]
        if !sessionPolicies.isEmpty { members["p"] = .array(sessionPolicies.map(JSONValue.string)) }
        if let sourceIdentity { members["o"] = .string(sourceIdentity) }
        return .object(members)
    }

    init?(json: JSONValue) {
        guard let accessKeyID = json["k"]?.stringValue, let secret = json["s"]?.stringValue, let role = json["r"]?.stringValue,
            let roleID = json["i"]?.stringValue, let name = json["n"]?.stringValue, let issued = json["t"]?.integerValue,
            let expires = json["e"]?.integerValue, let claims = json["c"]?.objectValue
        else { return nil }
        self.init(
            accessKeyID: accessKeyID, secretAccessKey: secret, roleARN: role, roleID: roleID, sessionName: name,
            issued: Timestamp(milliseconds: issued), expires: Timestamp(milliseconds: expires),
            claims: claims.members.map { claim in
                Claim(key: claim.name, values: claim.value.arrayValue?.compactMap(\.stringValue) ?? [])
            },
            sessionPolicies: json["p"]?.arrayValue?.compactMap(\.stringValue) ?? [], sourceIdentity: json["o"]?.stringValue)
    }
}
