import Cloud
import Cryptography
import Policy
package import Tokens
package import WireFormats

/// The encoded message that a denial can carry. It contains the reasons, sealed, because the denied caller may not be allowed to know them.
/// (STS API Reference, "DecodeAuthorizationMessage"; the members are those of the example in the AWS CLI reference.)
///
/// AWS sends such messages with denials of EC2 and a few other services, but not of S3, STS and IAM. Virga sends one in a separate header
/// with every denial by a policy.
package enum AuthorizationMessage {
    /// The maximum length of `EncodedMessage`, in characters.
    package static let longest = 10_240
    private static let context = Array("authorization message".utf8)

    /// Seals the message of a denial. A message that is too long is sealed without the condition keys, then without the statements, which
    /// the journal has anyway. Returns `nil` if even that is too long.
    package static func seal(_ message: JSONValue, key: SealingKey) -> String? {
        var shorter = message
        for member in [nil, ["context", "conditions"], ["matchedStatements"], ["statements"]] as [[String]?] {
            if let member { shorter = shorter.emptying(member[...]) }
            if let text = try? SealedRecord.seal(shorter.serializedBytes(), key: key, context: context), text.utf8.count <= longest {
                return text
            }
        }
        return nil
    }

    /// Returns the text of a sealed message; `nil` if it is invalid, or from another sandbox or an earlier generation.
    package static func open(_ text: String, key: SealingKey) -> String? {
        (try? SealedRecord.open(text, key: key, context: context)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Authorizer.Verdict {
    /// The message that `sts:DecodeAuthorizationMessage` returns for a denial.
    package var message: JSONValue {
        let trace = trace
        let isExplicit = if case .explicitDeny = decision.outcome { true } else { false }
        let statements = isExplicit ? trace.entries.filter { $0.isDeny && $0.mismatch == nil } : []
        let keys = context.keys.values(named: Authorizer.globalKeys + policies.conditionKeys)
        return [
            "allowed": .bool(decision.isAllowed), "explicitDeny": .bool(isExplicit),
            "matchedStatements": .items(statements.map { $0.json(principal: context.principal.uniqueID) }),
            "failures": .items([]),
            "context": [
                "principal": principal, "action": .string(context.action), "resource": .string(context.resource),
                "conditions": .items(keys.map { .condition($0.name, $0.values) }),
            ],
        ]
    }

    private var principal: JSONValue {
        var members: JSONObject = ["id": .string(context.principal.uniqueID)]
        if case .user(let arn, _) = context.principal.identity, let name = arn.split(separator: "/").last {
            members["name"] = .string(String(name))
        }
        members["arn"] = .string(context.principal.name)
        return .object(members)
    }
}

extension DecisionTrace.Entry {
    fileprivate func json(principal: String) -> JSONValue {
        [
            "statementId": .string(sid ?? ""), "effect": .string(isDeny ? "DENY" : "ALLOW"),
            "principals": .items([.value(principal)]), "principalGroups": .items([]),
            "actions": .items(text.actions.map(JSONValue.value)), "resources": .items(text.resources.map(JSONValue.value)),
            "conditions": .items(text.conditions.map { .condition($0.key, $0.values) }),
        ]
    }
}

extension Principal {
    /// The identifier as in `aws:userid`.
    fileprivate var uniqueID: String {
        switch identity {
        case .anonymous: "anonymous"
        case .root: account ?? ""
        case .user(_, let id): id
        case .assumedRole(_, let roleID, let sessionARN): "\(roleID):\(sessionARN.split(separator: "/").last ?? "")"
        case .federatedUser(let sessionARN, _, _): "\(account ?? ""):\(sessionARN.split(separator: "/").last ?? "")"
        case .federated(let provider): provider
        case .service(let name): name
        }
    }
}

extension JSONValue {
    fileprivate static func items(_ items: [JSONValue]) -> JSONValue { ["items": .array(items)] }

    fileprivate static func value(_ text: String) -> JSONValue { ["value": .string(text)] }

    fileprivate static func condition(_ key: String, _ values: [String]) -> JSONValue {
        ["key": .string(key), "values": .items(values.map(JSONValue.value))]
    }

    /// Returns the same document with the list at `path` emptied.
    fileprivate func emptying(_ path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return .items([]) }
        guard var members = objectValue, let value = members[name] else { return self }
        members[name] = value.emptying(path.dropFirst())
        return .object(members)
    }
}
