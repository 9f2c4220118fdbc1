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
            // What has become a record was judged before it did.
            return try PolicyDocument(json: json, kind: kind, dialect: policyDialect ?? .ceph)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a policy document: \(error)", underlyingError: error))
        }
    }
}

extension Decoder {
    /// The dialect of the seed that is decoded; nothing where it is a record.
    var policyDialect: PolicyDialect? { PolicyDialect.userInfoKey.flatMap { userInfo[$0] as? PolicyDialect } }
}

extension PolicyDialect {
    /// Where a decoder of seeds holds it.
    static let userInfoKey = CodingUserInfoKey(rawValue: "policyDialect")
}
