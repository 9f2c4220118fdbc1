package import Policy
import WireFormats

// Policies lie in records and seeds as the JSON that AWS takes. Decoding compiles them, so that a faulty one is refused
// where it stands and a request never parses a policy.

extension KeyedDecodingContainer {
    /// Decodes and compiles the policy at `key`.
    /// - Throws: `DecodingError.dataCorrupted` that names the fault.
    package func decodePolicy(_ kind: PolicyDocument.Kind, forKey key: Key) throws -> PolicyDocument {
        try superDecoder(forKey: key).policy(kind)
    }
}

extension Decoder {
    /// Decodes and compiles the policy that this decoder stands at.
    /// - Throws: `DecodingError.dataCorrupted` that names the fault.
    package func policy(_ kind: PolicyDocument.Kind) throws -> PolicyDocument {
        let json = try singleValueContainer().decode(JSONValue.self)
        do {
            return try PolicyDocument(json: json, kind: kind)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a policy document: \(error)", underlyingError: error))
        }
    }
}
