import Directory
import Policy
import WireFormats

// The codecs of fields that several records of accounts have.

extension Codec {
    /// A policy document. An absent one is an empty value, which the policy's grammar rejects.
    /// - Parameter dialect: the dialect of the policy; `nil` for that of the seed.
    static func policy(_ kind: PolicyDocument.Kind, _ dialect: PolicyDialect? = nil) -> FieldCodec<PolicyDocument> {
        FieldCodec(
            shape: .policy, expected: nil,
            read: { members, key in try members.decodePolicy(kind, forKey: key, dialect) }, write: { $0.json })
    }

    /// A policy with placeholders, as text.
    /// - Parameter check: compiles the policy with examples filled in.
    static func policyTemplate(_ check: @escaping @Sendable (String) throws -> Void) -> FieldCodec<String> {
        FieldCodec(
            shape: .anything, expected: nil,
            read: { members, key in
                guard let json: JSONValue = try members.decode(ifThere: key) else { return nil }
                let template = json.serialized()
                do {
                    try check(template)
                } catch {
                    throw members.fault(key.stringValue, expecting: "a policy document: \(error)")
                }
                return template
            },
            write: { try JSONValue(parsing: $0) })
    }

    /// A trust policy of IAM.
    static let trustPolicy = FieldCodec<TrustPolicy>(
        shape: .policy, expected: nil,
        read: { members, key in
            guard members.contains(key) else { return nil }
            return TrustPolicy(document: try members.decodePolicy(.trust, forKey: key))
        },
        write: { $0.document.json })

    /// Inline policies as an object of names and documents.
    static let inlinePolicies = FieldCodec<[InlinePolicy]>(
        shape: .map(.policy), expected: nil,
        read: { members, key in
            try members.decode(ifThere: key) { decoder in
                let documents = try decoder.container(keyedBy: FieldName.self)
                return try documents.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
                    InlinePolicy(name: name.stringValue, document: try documents.decodePolicy(.identity, forKey: name))
                }
            }
        },
        write: { policies in JSONValue.object(JSONObject(policies.map { ($0.name, $0.document.json) })) })

    /// Tags as an object of keys and values.
    static let tags = FieldCodec<[Tag]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let values: [String: String]? = try members.decode(ifThere: key)
            return values.map { values in values.map { Tag(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key } }
        },
        write: { tags in JSONValue.object(JSONObject(tags.map { ($0.key, JSONValue.string($0.value)) })) })

    /// The name of an entity of IAM.
    /// - Parameters:
    ///   - longest: the maximum length, in characters.
    ///   - entity: what has the name, such as `a user`.
    static func entityName(longest: Int, of entity: String) -> FieldCodec<String> {
        form(.entityName, expecting: "\(entity) name of 1 to \(longest) letters, digits and _+=,.@-") {
            isEntityName($0, longest: longest)
        }
    }

    /// The path of an entity of IAM. (IAM API Reference, "CreateRole", `Path`.)
    static let path = form(.entityPath, expecting: "a path that begins and ends with /") { path in
        path.hasPrefix("/") && path.hasSuffix("/") && path.utf8.count <= 512 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// Returns whether IAM accepts the name of an entity.
func isEntityName(_ name: String, longest: Int) -> Bool {
    (1...longest).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "_+=,.@-".utf8.contains(byte)
            }
        }
}

extension SeedField {
    /// The path of an entity of IAM; `/` by default.
    static func path(_ path: any WritableKeyPath<Record, String> & Sendable) -> SeedField {
        defaulted("path", path, Codec.path, "The path in the ARN; / by default.")
    }

    /// Inline policies of an entity of IAM.
    static func inlinePolicies(_ path: any WritableKeyPath<Record, [InlinePolicy]> & Sendable) -> SeedField {
        defaulted("policies", path, Codec.inlinePolicies, "Inline policies: name to document.")
    }

    /// The managed policies of an entity of IAM.
    static func attachedPolicies(_ path: any WritableKeyPath<Record, [String]> & Sendable) -> SeedField {
        defaulted("attachedPolicies", path, Codec.texts, "ARNs of attached managed policies.")
    }

    /// The permissions boundary of an entity of IAM.
    static func boundary(_ path: any WritableKeyPath<Record, String?> & Sendable) -> SeedField {
        optional("boundary", path, Codec.text, "The ARN of the permissions boundary.")
    }

    /// The tags of an entity of IAM or of a bucket.
    static func tags(_ path: any WritableKeyPath<Record, [Tag]> & Sendable) -> SeedField {
        defaulted("tags", path, Codec.tags, "Tags: key to value.")
    }
}
