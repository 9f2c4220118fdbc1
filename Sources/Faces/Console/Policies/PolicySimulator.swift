import ControlDocuments
import WireFormats

/// Decides each action on each resource by `POST /_virga/explain`.
struct Simulator {
    let client: ControlClient
    let question: SimulationQuestion
    let edits: [PolicyPlace: String]

    /// A row of the result.
    struct Row {
        var action: String
        var resource: String
        var answer: ControlAnswer
        /// The answer for the caller to compare with.
        var other: ControlAnswer?
        /// The body of the control call.
        var body: JSONValue
    }

    /// A policy that was evaluated for some row, as it is stored.
    struct StoredPolicy {
        var place: PolicyPlace
        var document: JSONValue
        var owner: Document<PolicyOwnerMembers>?
        /// The resource whose decision evaluated it.
        var resource: String
    }

    /// A condition key that policies read.
    struct Key {
        var name: String
        var type: String
        var isMultivalued: Bool
    }

    /// The rows, the stored policies and the keys that all of them read.
    struct Result {
        var rows: [Row] = []
        var policies: [StoredPolicy] = []
        var keys: [Key] = []
    }

    func run() async -> Result {
        var result = Result()
        guard !question.isEmpty else { return result }
        let callers = [question.caller] + (question.other.isEmpty ? [] : [question.other])
        for resource in question.resources {
            for action in question.actions {
                guard result.rows.count < SimulationQuestion.mostDecisions else { return result }
                let body = self.body(callers[0], action, resource, edited: true)
                let answer = await ask(body)
                var row = Row(action: action, resource: resource, answer: answer, body: body)
                add(answer, resource, stored: edits.isEmpty, to: &result)
                // The stored documents are shown beside the edits.
                if !edits.isEmpty {
                    add(await ask(self.body(callers[0], action, resource, edited: false)), resource, stored: true, to: &result)
                }
                if callers.count > 1 { row.other = await ask(self.body(callers[1], action, resource, edited: true)) }
                result.rows.append(row)
            }
        }
        return result
    }

    private func ask(_ body: JSONValue) async -> ControlAnswer {
        guard case .object(var members) = body else { return ControlAnswer(status: 400, bytes: []) }
        members["documents"] = true
        return await client.post("/explain", .object(members))
    }

    /// The body of a control call.
    func body(_ caller: String, _ action: String, _ resource: String, edited: Bool) -> JSONValue {
        var body: JSONObject = ["as": .string(caller), "action": .string(action), "resource": .string(resource)]
        let context = question.contextJSON
        if !context.isEmpty { body["context"] = .object(context) }
        guard edited else { return .object(body) }
        var policies: JSONObject = [:]
        for (place, text) in edits.sorted(by: { $0.key.name < $1.key.name }) {
            let document: JSONValue = text.allSatisfy(\.isWhitespace) ? .null : .string(text)
            switch place.type {
            case "role trust policy" where Self.isSTS(action) && place.name.hasSuffix(" \(resource.split(separator: "/").last ?? "")"):
                body["trustPolicy"] = document
            case "resource-based policy" where !Self.isSTS(action) && Self.policyName(of: resource) == place.name:
                body["resourcePolicy"] = document
            case "role trust policy", "resource-based policy": break
            default: if !Self.presentsToken(action) { policies[place.name] = document }
            }
        }
        if !policies.isEmpty { body["policies"] = .object(policies) }
        return .object(body)
    }

    private static func isSTS(_ action: String) -> Bool { action.lowercased().hasPrefix("sts:") }

    private static func presentsToken(_ action: String) -> Bool {
        ["sts:assumerolewithwebidentity", "sts:assumerolewithsaml"].contains(action.lowercased())
    }

    /// The name of the policy of a bucket, as decisions name it; `nil` for a resource without a bucket.
    static func policyName(of resource: String) -> String? { bucket(of: resource).map { "policy of bucket \($0)" } }

    /// The bucket of an ARN of S3 or a resource of OSS.
    static func bucket(of resource: String) -> String? {
        let name: Substring
        if resource.hasPrefix("arn:aws:s3:::") {
            name = resource.dropFirst("arn:aws:s3:::".count).prefix { $0 != "/" }
        } else {
            let parts = resource.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0] == "acs", parts[1] == "oss" else { return nil }
            name = parts[4].prefix { $0 != "/" }
        }
        return name.isEmpty || name.contains("*") ? nil : String(name)
    }

    private func add(_ answer: ControlAnswer, _ resource: String, stored: Bool, to result: inout Result) {
        for policy in answer.document(DecisionMembers.self).policies ?? [] {
            let place = PolicyPlace(type: policy.policyType, name: policy.policy)
            if stored, !result.policies.contains(where: { $0.place == place }) {
                result.policies.append(
                    StoredPolicy(place: place, document: policy.document, owner: policy.owner, resource: resource))
            }
            for key in policy.keys where !result.keys.contains(where: { $0.name.lowercased() == key.name.lowercased() }) {
                result.keys.append(Key(name: key.name, type: key.type, isMultivalued: key.multivalued))
            }
        }
    }
}
