import ControlDocuments
import WireFormats

/// A least policy as the control API returns it.
struct LeastPolicyAnswer {
    private let answer: Document<LeastPolicyMembers>

    /// Requests the least policy of a principal.
    init(of principal: String, from client: CloudClient, fields: [(String, String)]) async throws {
        let query: FormFields = ["principal": principal]
        answer = try await client.control(LeastPolicyMembers.self, "GET", "usage/policy?\(query.encoded)", fields: fields)
    }

    /// The policy as formatted JSON; `nil` if no policy is needed.
    var policy: String? { answer.policy.objectValue.map { JSONValue.object($0).serialized(pretty: true) } }

    /// The complete answer as formatted JSON.
    var text: String { answer.json.serialized(pretty: true) }

    /// Whether every request is decided with the policy as it was recorded.
    var isProven: Bool { answer.proof.failures.isEmpty }

    /// What was generalized, what was not, and the proof.
    var lines: [String] {
        let proof = answer.proof
        var lines = answer.notes.map { "virga: \($0)" }
        if !answer.complete { lines.append("virga: some requests were not recorded, because the memory for them was full") }
        lines.append("virga: decided again with this policy: \(proof.allowed) allowed and \(proof.denied) denied, as recorded")
        lines += proof.failures.map { "virga: not as recorded: \($0)" }
        return lines.map(\.visible)
    }
}
