package import Policy
package import WireFormats

/// The grants of KMS keys, as policies. (KMS Developer Guide, "Grants in AWS KMS"; API Reference, "GrantConstraints".)
package enum KeyGrant {
    /// Returns what a grant allows: a policy for each principal. A grant with constraints that are not known, or for a principal that cannot
    /// call, allows nothing.
    /// - Parameters:
    ///   - grant: an entry of the response of ListGrants.
    ///   - key: the ARN of the key.
    package static func policies(_ grant: JSONValue, on key: String) -> [AttachedPolicy] {
        let label = "grant \(grant["GrantId"]?.stringValue ?? "") of \(key)"
        var statements: [JSONValue] = []
        if let retiring = grant["RetiringPrincipal"]?.stringValue { statements.append(statement(retiring, ["RetireGrant"], key)) }
        if let grantee = grant["GranteePrincipal"]?.stringValue, let conditions = conditions(grant["Constraints"]) {
            let operations = (grant["Operations"]?.arrayValue ?? []).compactMap(\.stringValue)
            let constrained = operations.filter { encrypting.contains($0) }
            if !constrained.isEmpty { statements.append(statement(grantee, constrained, key, conditions)) }
            let others = operations.filter { !encrypting.contains($0) && $0 != "CreateGrant" }
            if !others.isEmpty { statements.append(statement(grantee, others, key)) }
            // The new grant must not allow more. Whether its constraints are as strict is not compared.
            if operations.contains("CreateGrant"), conditions.isEmpty {
                let allowed = JSONValue.array(operations.map { JSONValue.string($0) })
                statements.append(
                    statement(grantee, ["CreateGrant"], key, ["ForAllValues:StringEquals": ["kms:GrantOperations": allowed]]))
            }
        }
        return statements.compactMap { (statement: JSONValue) -> AttachedPolicy? in
            // This version has no variables, so that the values of an encryption context are compared as they are.
            let document: JSONValue = ["Version": "2008-10-17", "Statement": [statement]]
            return (try? PolicyDocument(json: document, kind: .resource)).map { AttachedPolicy(label, $0) }
        }
    }

    private static func statement(
        _ principal: String, _ operations: [String], _ key: String, _ conditions: JSONObject = JSONObject()
    ) -> JSONValue {
        var statement: JSONObject = [
            "Effect": "Allow", "Principal": ["AWS": .string(principal)], "Action": .array(operations.map { .string("kms:\($0)") }),
            "Resource": .string(key),
        ]
        if !conditions.isEmpty { statement["Condition"] = .object(conditions) }
        return .object(statement)
    }

    /// Returns the constraints as conditions: none without constraints, and `nil` if one is not known.
    private static func conditions(_ constraints: JSONValue?) -> JSONObject? {
        var keys = JSONObject()
        var allowed: [JSONValue]?
        for (name, value) in constraints?.objectValue?.members ?? [] {
            if value == .null { continue }
            guard let context = value.objectValue, ["EncryptionContextEquals", "EncryptionContextSubset"].contains(name) else { return nil }
            for (key, text) in context.members { keys["kms:EncryptionContext:\(key)"] = text }
            if name == "EncryptionContextEquals" { allowed = context.names.map { JSONValue.string($0) } }
        }
        var conditions = JSONObject()
        if !keys.isEmpty { conditions["StringEquals"] = .object(keys) }
        if let allowed { conditions["ForAllValues:StringEquals"] = ["kms:EncryptionContextKeys": .array(allowed)] }
        return conditions
    }

    /// The operations with an encryption context, to which constraints apply.
    private static let encrypting = [
        "Decrypt", "Encrypt", "GenerateDataKey", "GenerateDataKeyPair", "GenerateDataKeyPairWithoutPlaintext",
        "GenerateDataKeyWithoutPlaintext", "ReEncryptFrom", "ReEncryptTo",
    ]
}
