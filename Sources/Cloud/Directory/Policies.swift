package import Policy
package import WireFormats

/// An identity policy that belongs to one user, group or role.
package struct InlinePolicy: Sendable, Codable {
    package var name: String
    package var document: PolicyDocument
    /// The document as it was put, which is how it is shown; nothing for one that was not put as a text.
    package var text: String?

    package init(name: String, document: PolicyDocument, text: String? = nil) {
        self.name = name
        self.document = document
        self.text = text
    }

    /// The document as it is shown.
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

/// A policy of its own, attached by its ARN. (IAM User Guide, "Managed policies and inline policies".)
package struct ManagedPolicy: Sendable, Codable {
    /// The account that the policy belongs to; `aws` for those of AWS.
    package var account: String
    package var name: String
    package var path: String
    /// The unique identifier, `ANPA…`.
    package var id: String
    package var description: String?
    package var created: Timestamp
    package var updated: Timestamp
    /// One to five, by number.
    package var versions: [Version]
    /// The number of the version that counts.
    package var defaultVersion: Int
    package var tags: [Tag]

    /// One text of the policy.
    package struct Version: Sendable, Codable {
        /// From 1; never used again.
        package var number: Int
        package var document: PolicyDocument
        package var created: Timestamp

        package init(number: Int, document: PolicyDocument, created: Timestamp) {
            self.number = number
            self.document = document
            self.created = created
        }

        private enum CodingKeys: String, CodingKey { case number, document, created }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            document = try container.decodePolicy(.identity, forKey: .document)
            created = try container.decode(Timestamp.self, forKey: .created)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
            try container.encode(document.json, forKey: .document)
            try container.encode(created, forKey: .created)
        }
    }

    package init(
        account: String, name: String, path: String, id: String, description: String? = nil, created: Timestamp,
        document: PolicyDocument, tags: [Tag] = []
    ) {
        self.account = account
        self.name = name
        self.path = path
        self.id = id
        self.description = description
        self.created = created
        updated = created
        versions = [Version(number: 1, document: document, created: created)]
        defaultVersion = 1
        self.tags = tags
    }

    package var arn: String { "arn:aws:iam::\(account):policy\(path)\(name)" }

    /// The text that counts.
    package var document: PolicyDocument? { versions.first { $0.number == defaultVersion }?.document }
}
