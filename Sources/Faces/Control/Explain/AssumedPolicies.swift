import Federation
import HTTPTypes
import Policy
import WireFormats

/// The policies that `POST /_virga/explain` assumes instead of the stored ones: edits that are not saved.
struct AssumedPolicies {
    /// The documents by the name of the policy, as traces show it; `nil` removes the policy.
    private var named: [(name: String, document: PolicyDocument?)] = []
    /// The policy of the resource; the inner `nil` removes it.
    private var resource: PolicyDocument??
    private var trust: PolicyDocument?

    /// Whether nothing is assumed.
    var isEmpty: Bool { named.isEmpty && resource == nil && trust == nil }

    /// Whether a trust policy is assumed.
    var hasTrust: Bool { trust != nil }

    /// Reads the members `policies`, `resourcePolicy` and `trustPolicy`.
    /// - Throws: ``ControlError`` that names the member and the faulty element.
    init(_ body: JSONObject, action: String) throws(ControlError) {
        let service = action.prefix { $0 != ":" }.lowercased()
        let isOfAlibaba = ["oss", "ram"].contains(service) || body["resource"]?.stringValue?.hasPrefix("acs:") == true
        let dialect: PolicyDialect = isOfAlibaba ? .ram : .aws
        if let value = body["policies"] {
            guard let members = value.objectValue?.members else {
                throw ControlFace.malformedMember("'policies' must be an object of policy documents by the names of policies.")
            }
            for (name, value) in members {
                named.append((name, try Self.document(value, "policies.\(name)", .identity, dialect)))
            }
        }
        if let value = body["resourcePolicy"] { resource = .some(try Self.document(value, "resourcePolicy", .resource, dialect)) }
        if let value = body["trustPolicy"] {
            guard service == "sts", resource == nil else {
                throw ControlFace.malformedMember("'trustPolicy' belongs to an action of sts on a role, without 'resourcePolicy'.")
            }
            guard let document = try Self.document(value, "trustPolicy", .trust, dialect) else {
                throw ControlFace.malformedMember("'trustPolicy' must be a policy document: every role has one.")
            }
            trust = document
        }
    }

    /// Returns the decision with the assumed policies.
    func apply(to verdict: Authorizer.Verdict) -> Authorizer.Verdict {
        guard !isEmpty else { return verdict }
        return verdict.assuming { policies in
            for (name, document) in named { Self.replace(name, document, in: &policies) }
            if let resource {
                let stored = policies.resource
                policies.resource = resource.map {
                    AttachedPolicy(stored?.label ?? "resource policy", $0, isRequired: stored?.isRequired ?? false)
                }
            }
            if let trust { policies.resource = AttachedPolicy(policies.resource?.label ?? "trust policy", trust) }
        }
    }

    /// Replaces every policy with a name. If there is none, adds one to the identity-based policies.
    private static func replace(_ name: String, _ document: PolicyDocument?, in policies: inout PolicySet) {
        var isFound = false
        func edited(_ policy: AttachedPolicy) -> AttachedPolicy? {
            guard policy.label == name else { return policy }
            isFound = true
            return document.map { AttachedPolicy(name, $0, origin: policy.origin) }
        }
        policies.identity = policies.identity.compactMap(edited)
        policies.session = policies.session?.compactMap(edited)
        policies.boundary = policies.boundary.flatMap(edited)
        if !isFound, let document { policies.identity.append(AttachedPolicy(name, document)) }
    }

    /// Parses a document, which is an object or its text.
    private static func document(
        _ value: JSONValue, _ place: String, _ kind: PolicyDocument.Kind, _ dialect: PolicyDialect
    ) throws(ControlError) -> PolicyDocument? {
        do throws(PolicySyntaxError) {
            switch value {
            case .null: return nil
            case .string(let text): return try PolicyDocument(parsing: text, kind: kind, dialect: dialect)
            default: return try PolicyDocument(json: value, kind: kind, dialect: dialect)
            }
        } catch {
            var refusal = ControlError(.badRequest, "malformed_policy", "'\(place)' is not a valid policy: \(error)")
            refusal.details = ["place": .string(error.place), "detail": .string(error.detail)]
            throw refusal
        }
    }
}
