import Cloud
import Cryptography
import Policy
package import Tokens
package import WireFormats

/// The encoded message that a refusal can carry: why it was refused, sealed, since whoever was refused may not be meant to know.
/// (STS API Reference, "DecodeAuthorizationMessage"; the members are those of the command line's example for it.)
///
/// AWS sends such messages with the refusals of EC2 and a few others, and none with those of S3, STS and IAM. Here every refusal that a
/// policy decides has one, in a header of its own.
package enum AuthorizationMessage {
    /// What `EncodedMessage` may have, in characters.
    package static let longest = 10_240
    private static let context = Array("authorization message".utf8)

    /// Seals the message of a refusal. What is too long goes without the keys of the request, then without the statements, which the
    /// journal has anyway; `nil` if even that is too long.
    package static func seal(_ message: JSONValue, key: SealingKey) -> String? {
        var shorter = message
        for member in [nil, ["context", "conditions"], ["matchedStatements"]] as [[String]?] {
            if let member { shorter = shorter.emptying(member[...]) }
            if let text = try? SealedRecord.seal(shorter.serializedBytes(), key: key, context: context), text.utf8.count <= longest {
                return text
            }
        }
        return nil
    }

    /// The text of a sealed message; `nil` for one of another sandbox, of an earlier generation, or none at all.
    package static func open(_ text: String, key: SealingKey) -> String? {
        (try? SealedRecord.open(text, key: key, context: context)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension Authorizer.Verdict {
    /// The message that `sts:DecodeAuthorizationMessage` returns for a refusal.
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
    /// As `aws:userid` has it.
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

    /// The same document, the list at `path` without its items.
    fileprivate func emptying(_ path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return .items([]) }
        guard var members = objectValue, let value = members[name] else { return self }
        members[name] = value.emptying(path.dropFirst())
        return .object(members)
    }
}
