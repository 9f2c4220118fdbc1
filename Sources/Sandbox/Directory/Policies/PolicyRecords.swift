package import Policy
package import WireFormats

/// An identity policy that belongs to one user, group or role.
package struct InlinePolicy: Sendable, Codable {
    /// The name.
    package var name: String
    /// The policy.
    package var document: PolicyDocument
    /// The document as it was sent, which is returned unchanged; `nil` if it was not sent as a text.
    package var text: String?

    package init(name: String, document: PolicyDocument, text: String? = nil) {
        self.name = name
        self.document = document
        self.text = text
    }

    /// The document as it is returned.
    package var shownText: String { text ?? document.json.serialized() }

    private enum CodingKeys: String, CodingKey { case name, document, text }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        document = try container.decodePolicy(.identity, forKey: .document)
        text = try container.decodeIfPresent(String.self, forKey: .text)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(document.json, forKey: .document)
        try container.encodeIfPresent(text, forKey: .text)
    }
}

/// A role's trust policy. The users and roles that it names are those that had the names when it was saved.
/// (IAM User Guide, "AWS JSON policy elements: Principal", "IAM user principals".)
package struct TrustPolicy: Sendable, Codable {
    /// The policy, in which ARNs are bound to the identifiers in ``bound``.
    package let document: PolicyDocument
    /// The document as it was sent; `nil` if it was not sent as a text.
    package let text: String?
    /// The unique identifiers of the users and roles that the policy names, by ARN.
    package let bound: [String: String]

    package init(document: PolicyDocument, text: String? = nil, bound: [String: String] = [:]) {
        self.document = BoundPrincipals(ids: bound).bind(document)
        self.text = text
        self.bound = bound
    }

    private enum CodingKeys: String, CodingKey { case document, text, bound }

    /// Decodes the record, or the policy alone, as seeds and older records have it.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.contains(.document) else {
            self.init(document: try decoder.policy(.trust))
            return
        }
        self.init(
            document: try container.decodePolicy(.trust, forKey: .document),
            text: try container.decodeIfPresent(String.self, forKey: .text),
            bound: try container.decodeIfPresent([String: String].self, forKey: .bound) ?? [:])
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(document.json, forKey: .document)
        try container.encodeIfPresent(text, forKey: .text)
        if !bound.isEmpty { try container.encode(bound, forKey: .bound) }
    }
}

/// A managed policy, which is attached by its ARN. (IAM User Guide, "Managed policies and inline policies".)
package struct ManagedPolicy: Sendable, Codable {
    /// The account number; `aws` for policies of AWS.
    package var account: String
    /// The name.
    package var name: String
    /// `/`, or a path that begins and ends with `/`.
    package var path: String
    /// The unique identifier, `ANPA…`.
    package var id: String
    package var description: String?
    /// When it was created.
    package var created: Timestamp
    /// When its default version or description last changed.
    package var updated: Timestamp
    /// One to five versions, by number.
    package var versions: [Version]
    /// The number of the version that is in effect.
    package var defaultVersion: Int
    /// The highest number that a version ever had; `nil` if it is the number of the last of ``versions``.
    package var highestVersion: Int?
    /// The tags.
    package var tags: [Tag]

    /// One version of the policy.
    package struct Version: Sendable, Codable {
        /// The number, from 1. Numbers are never reused.
        package var number: Int
        /// The policy.
        package var document: PolicyDocument
        /// The document as it was sent, which is returned unchanged; `nil` if it was not sent as a text.
        package var text: String?
        /// When the version was created.
        package var created: Timestamp

        package init(number: Int, document: PolicyDocument, text: String? = nil, created: Timestamp) {
            self.number = number
            self.document = document
            self.text = text
            self.created = created
        }

        /// The document as it is returned.
        package var shownText: String { text ?? document.json.serialized() }

        private enum CodingKeys: String, CodingKey { case number, document, text, created }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            document = try container.decodePolicy(.identity, forKey: .document)
            text = try container.decodeIfPresent(String.self, forKey: .text)
            created = try container.decode(Timestamp.self, forKey: .created)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encode(document.json, forKey: .document)
            try container.encodeIfPresent(text, forKey: .text)
            try container.encode(created, forKey: .created)
        }
    }

    package init(
        account: String, name: String, path: String, id: String, description: String? = nil, created: Timestamp,
        document: PolicyDocument, text: String? = nil, tags: [Tag] = []
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.description = description
        self.created = created
        updated = created
        versions = [Version(number: 1, document: document, text: text, created: created)]
        defaultVersion = 1
        self.tags = tags
    }

    /// The ARN.
    package var arn: String { identityARN(account, "policy", path + name) }

    /// The document of the version that is in effect.
    package var document: PolicyDocument? { versions.first { $0.number == defaultVersion }?.document }
}
