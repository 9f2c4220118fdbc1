package import Policy
package import WireFormats

// Policies lie in records and seeds as the JSON that AWS takes. Decoding compiles them, so that a faulty one is refused
// where it stands and a request never parses a policy.

extension KeyedDecodingContainer {
    /// Decodes and compiles the policy at `key`.
    /// - Throws: `DecodingError.dataCorrupted` that names the fault.
    /// - Parameter dialect: of the policy, where it is known by the place at which it stands.
    package func decodePolicy(_ kind: PolicyDocument.Kind, forKey key: Key, _ dialect: PolicyDialect? = nil) throws -> PolicyDocument {
        try superDecoder(forKey: key).policy(kind, dialect)
    }
}

extension Decoder {
    /// Decodes and compiles the policy that this decoder stands at.
    /// - Throws: `DecodingError.dataCorrupted` that names the fault.
    /// - Parameter dialect: of the policy, where it is known by the place at which it stands.
    package func policy(_ kind: PolicyDocument.Kind, _ dialect: PolicyDialect? = nil) throws -> PolicyDocument {
        let json: JSONValue
        do {
            json = try singleValueContainer().decode(JSONValue.self)
        } catch let error where !(error is DecodingError) {
            // Of a number that its type cannot hold the decoder does not say where it stands.
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "numbers of at most 64 bits"))
        }
        do {
            return try PolicyDocument(json: json, kind: kind, dialect: dialect ?? policyDialect ?? .ofRecord(json))
        } catch {
            if let report = PolicyFaultReport.userInfoKey.flatMap({ userInfo[$0] as? PolicyFaultReport }) {
                report.add(
                    PolicyFaultReport.Fault(
                        policy: json, kind: kind, dialect: dialect ?? policyDialect ?? .ofRecord(json), path: codingPath, error: error))
                return .silent
            }
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a policy document: \(error)", underlyingError: error))
        }
    }
}

extension Decoder {
    /// The dialect of the seed that is decoded; `nil` if it is a record.
    package var policyDialect: PolicyDialect? { PolicyDialect.userInfoKey.flatMap { userInfo[$0] as? PolicyDialect } }
}

extension PolicyDialect {
    /// That of a policy in a record, which was judged before it became one: version 1 is Alibaba Cloud's alone.
    fileprivate static func ofRecord(_ json: JSONValue) -> PolicyDialect {
        json.objectValue?["Version"]?.stringValue == PolicyDocument.Version.ram.rawValue ? .ram : .ceph
    }

    /// Where a decoder of seeds holds it.
    package static let userInfoKey = CodingUserInfoKey(rawValue: "policyDialect")
}

/// What a decoder that goes on after a faulty policy does with the fault. Without one, the fault is thrown.
package struct PolicyFaultReport: Sendable {
    /// A policy that could not be compiled.
    package struct Fault {
        /// The document.
        package var policy: JSONValue
        /// What the policy is attached to.
        package var kind: PolicyDocument.Kind
        /// The grammar that it is read in.
        package var dialect: PolicyDialect
        /// Where it stands in the file.
        package var path: [any CodingKey]
        /// What is wrong.
        package var error: PolicySyntaxError
    }

    /// Takes a fault. The reading goes on.
    package var add: @Sendable (Fault) -> Void

    package init(add: @escaping @Sendable (Fault) -> Void) { self.add = add }

    /// Where a decoder of seeds holds it.
    package static let userInfoKey = CodingUserInfoKey(rawValue: "policyFaultReport")
}
