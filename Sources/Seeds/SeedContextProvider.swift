import Directory
import WireFormats

/// What sessions take over from the tokens of an OpenID Connect provider as their trusted context.
struct SeedContextProvider: Sendable, Decodable {
    var context: ContextProvider

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case subjectSourceKey, subjectTypeValue, subjectTypeSourceKey, keyDefinitions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let subject = try container.decode(.subjectSourceKey, expecting: keyForm, where: ContextProvider.isKey)
        let type: String? = try container.decode(ifThere: .subjectTypeValue)
        if let type, !ContextProvider.isSubjectType(type) {
            try container.refuse(.subjectTypeValue, expecting: "at most 128 characters")
        }
        let definitions = try container.decode(.keyDefinitions, or: [KeyDefinition]())
        if definitions.count > ContextProvider.mostMappings {
            try container.refuse(.keyDefinitions, expecting: "at most \(ContextProvider.mostMappings) keys")
        }
        context = ContextProvider(
            mappings: definitions.map(\.mapping), subjectSourceKey: subject, subjectTypeValue: type,
            subjectTypeSourceKey: try container.key(.subjectTypeSourceKey))
        if context.hasTwoSubjectTypes {
            try container.refuse(.subjectTypeSourceKey, expecting: "either subjectTypeValue or subjectTypeSourceKey, not both")
        }
    }

    private struct KeyDefinition: Sendable, Decodable {
        var mapping: ContextProvider.Mapping

        private enum CodingKeys: String, CodingKey, CaseIterable { case sourceKey, targetKey }

        init(from decoder: any Decoder) throws {
            let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
            mapping = ContextProvider.Mapping(
                source: try container.decode(.sourceKey, expecting: keyForm, where: ContextProvider.isKey),
                target: try container.key(.targetKey))
        }
    }
}

private let keyForm = "1 to 128 letters, digits, single spaces and _.:/=+-@#"

extension KeyedDecodingContainer {
    /// Decodes the name of a claim or of a key of the context; `nil` if the key is absent.
    fileprivate func key(_ key: Key) throws -> String? {
        contains(key) ? try decode(key, expecting: keyForm, where: ContextProvider.isKey) : nil
    }
}
