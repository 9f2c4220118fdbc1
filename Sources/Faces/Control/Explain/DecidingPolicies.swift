import ControlDocuments
import Federation
import HTTPTypes
import Policy
import WireFormats

extension Authorizer.Verdict {
    /// The answer to a question about a caller without a session.
    /// - Parameter isAssumed: whether the question has policies of its own.
    func answer(_ body: JSONObject, isAssumed: Bool) throws(ControlError) -> Document<DecisionMembers> {
        let documents = try documents(body)
        return Document { [document.object, $0.assumed(isAssumed ? true : nil), $0.policies(documents), $0.session(nil)] }
    }

    /// Returns the policies that were evaluated, if the question has `"documents":true`.
    func documents(_ body: JSONObject) throws(ControlError) -> [Document<PolicyMembers>]? {
        guard let value = body["documents"] else { return nil }
        guard let isWanted = value.boolValue else { throw ControlFace.malformedMember("'documents' must be true or false.") }
        guard isWanted else { return nil }
        var list = policies.identity.map { $0.evaluated(as: .identityBased) }
        if let boundary = policies.boundary { list.append(boundary.evaluated(as: .permissionsBoundary)) }
        list += (policies.session ?? []).map { $0.evaluated(as: .session) }
        if let resource = policies.resource {
            list.append(resource.evaluated(as: resource.document.kind == .trust ? .roleTrust : .resourceBased))
        }
        return list
    }
}

extension AttachedPolicy {
    /// The policy with its document, where it is stored, and the condition keys that it reads.
    fileprivate func evaluated(as type: PolicyType) -> Document<PolicyMembers> {
        let owner: Document<PolicyOwnerMembers>? =
            switch origin {
            case .managed(let arn): Document { [$0.arn(arn)] }
            case .inline(let kind, let holder, let name): Document { [$0.kind(kind.rawValue), $0.name(holder), $0.policy(name)] }
            case .other: nil
            }
        let keys = ContextKeyNames.types(in: document.json).map { key in
            Document<PolicyKeyMembers> { [$0.name(key.name), $0.type(key.type), $0.multivalued(key.isMultivalued)] }
        }
        return Document {
            [$0.policyType(type.rawValue), $0.policy(label), $0.document(document.json), $0.owner(owner), $0.keys(keys)]
        }
    }
}
