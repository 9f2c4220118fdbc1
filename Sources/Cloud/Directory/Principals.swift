package import Policy

/// An IAM user with its long-term keys and inline policies.
package struct User: Sendable, Codable {
    /// The account that the user belongs to.
    package var account: String
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AIDA…`.
    package var id: String
    package var accessKeys: [AccessKey]
    package var policies: [InlinePolicy]

    package init(account: String, name: String, path: String, id: String, accessKeys: [AccessKey], policies: [InlinePolicy]) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.accessKeys = accessKeys
        self.policies = policies
    }

    package var arn: String { "arn:aws:iam::\(account):user\(path)\(name)" }
}

/// An IAM role: whom it trusts, and what its sessions may do.
package struct Role: Sendable, Codable {
    package var account: String
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `AROA…`.
    package var id: String
    package var trustPolicy: TrustPolicy
    package var policies: [InlinePolicy]
    /// Seconds, 3,600 to 43,200.
    package var maximumSessionDuration: Int

    package init(
        account: String, name: String, path: String, id: String, trustPolicy: TrustPolicy, policies: [InlinePolicy],
        maximumSessionDuration: Int
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.trustPolicy = trustPolicy
        self.policies = policies
        self.maximumSessionDuration = maximumSessionDuration
    }

    package var arn: String { "arn:aws:iam::\(account):role\(path)\(name)" }
}

/// An identity policy that belongs to one user or role.
package struct InlinePolicy: Sendable, Codable {
    package var name: String
    package var document: PolicyDocument

    package init(name: String, document: PolicyDocument) {
        self.name = name
        self.document = document
    }

    private enum CodingKeys: String, CodingKey { case name, document }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        document = try container.decodePolicy(.identity, forKey: .document)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(document.json, forKey: .document)
    }
}

/// A role's trust policy, stored as the JSON it was written as.
package struct TrustPolicy: Sendable, Codable {
    package var document: PolicyDocument

    package init(document: PolicyDocument) { self.document = document }

    package init(from decoder: any Decoder) throws {
        document = try decoder.policy(.trust)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(document.json)
    }
}
