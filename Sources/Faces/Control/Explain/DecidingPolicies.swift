import Federation
import HTTPTypes
import Policy
import WireFormats

extension Authorizer.Verdict {
    /// Adds the policies that were evaluated, if the question has `"documents":true`.
    func add(documentsTo json: inout JSONObject, _ body: JSONObject) throws(ControlError) {
        guard let value = body["documents"] else { return }
        guard let isWanted = value.boolValue else { throw ControlFace.malformedMember("'documents' must be true or false.") }
        guard isWanted else { return }
        var list: [JSONValue] = []
        func add(_ type: PolicyType, _ policy: AttachedPolicy) { list.append(policy.json(as: type)) }
        for policy in policies.identity { add(.identityBased, policy) }
        if let boundary = policies.boundary { add(.permissionsBoundary, boundary) }
        for policy in policies.session ?? [] { add(.session, policy) }
        if let resource = policies.resource { add(resource.document.kind == .trust ? .roleTrust : .resourceBased, resource) }
        json["policies"] = .array(list)
    }
}

extension AttachedPolicy {
    /// The policy with its document, where it is stored, and the condition keys that it reads.
    fileprivate func json(as type: PolicyType) -> JSONValue {
        let owner: JSONValue =
            switch origin {
            case .managed(let arn): ["arn": .string(arn)]
            case .inline(let kind, let holder, let name):
                ["kind": .string(kind.rawValue), "name": .string(holder), "policy": .string(name)]
            case .other: .null
            }
        return [
            "policy_type": .string(type.rawValue), "policy": .string(label), "document": document.json, "owner": owner,
            "keys": .array(
                ContextKeyNames.types(in: document.json).map { key in
                    ["name": .string(key.name), "type": .string(key.type), "multivalued": .bool(key.isMultivalued)]
                }),
        ]
    }
}
