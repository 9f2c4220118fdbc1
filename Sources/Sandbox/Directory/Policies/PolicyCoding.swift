package import Policy
package import WireFormats

// Records and seeds contain policies as the JSON that AWS accepts. Decoding compiles them: a faulty policy is rejected with its position,
// and no request has to parse a policy.

extension KeyedDecodingContainer {
    /// Decodes and compiles the policy at `key`.
    /// - Parameter dialect: the dialect of the policy, if the key determines it.
    /// - Throws: `DecodingError.dataCorrupted`, which names the fault.
    package func decodePolicy(_ kind: PolicyDocument.Kind, forKey key: Key, _ dialect: PolicyDialect? = nil) throws -> PolicyDocument {
        try superDecoder(forKey: key).policy(kind, dialect)
    }
}

extension Decoder {
    /// Decodes and compiles the policy at the position of this decoder.
    /// - Parameter dialect: the dialect of the policy, if the position determines it.
    /// - Throws: `DecodingError.dataCorrupted`, which names the fault.
    package func policy(_ kind: PolicyDocument.Kind, _ dialect: PolicyDialect? = nil) throws -> PolicyDocument {
        let json: JSONValue
        do {
            json = try singleValueContainer().decode(JSONValue.self)
        } catch let error where !(error is DecodingError) {
            // The decoder does not report the position of a number that its type cannot represent.
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "numbers of at most 64 bits"))
        }
        do {
            return try PolicyDocument(json: json, kind: kind, dialect: dialect ?? policyDialect ?? .ofRecord(json))
        } catch {
            if let report = PolicyFaultReport.userInfoKey.flatMap({ userInfo[$0] as? PolicyFaultReport }) {
                report.add(
                    PolicyFaultReport.Fault(
                        policy: json, kind: kind, dialect: dialect ?? policyDialect ?? .ofRecord(json), path: codingPath, error: error))
                return .empty
            }
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "a policy document: \(error)", underlyingError: error))
        }
    }
}

extension Decoder {
    /// The dialect of the seed that is being decoded; `nil` for a record.
    package var policyDialect: PolicyDialect? { PolicyDialect.userInfoKey.flatMap { userInfo[$0] as? PolicyDialect } }
}

extension PolicyDialect {
    /// Returns the dialect of a policy in a record, which was checked before it was stored. Only Alibaba Cloud uses version 1.
    fileprivate static func ofRecord(_ json: JSONValue) -> PolicyDialect {
        json.objectValue?["Version"]?.stringValue == PolicyDocument.Version.ram.rawValue ? .ram : .ceph
    }

    /// The key of the dialect in the decoder's `userInfo`.
    package static let userInfoKey = CodingUserInfoKey(rawValue: "policyDialect")
}

/// Collects faulty policies, so that decoding continues after them. Without a report in `userInfo`, the fault is thrown.
package struct PolicyFaultReport: Sendable {
    /// A policy that could not be compiled.
    package struct Fault {
        /// The document.
        package var policy: JSONValue
        /// What the policy is attached to.
        package var kind: PolicyDocument.Kind
        /// The grammar that the policy is parsed with.
        package var dialect: PolicyDialect
        /// The path of the policy in the file.
        package var path: [any CodingKey]
        /// What is wrong.
        package var error: PolicySyntaxError
    }

    /// Adds a fault. Decoding continues.
    package var add: @Sendable (Fault) -> Void

    package init(add: @escaping @Sendable (Fault) -> Void) { self.add = add }

    /// The key of the report in the decoder's `userInfo`.
    package static let userInfoKey = CodingUserInfoKey(rawValue: "policyFaultReport")
}
