import WireFormats

/// A least policy as the control API returns it.
struct LeastPolicyAnswer {
    private let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    /// Requests the least policy of a principal.
    init(of principal: String, from client: CloudClient, fields: [(String, String)]) async throws {
        let query: FormFields = ["principal": principal]
        json = try await client.control("GET", "usage/policy?\(query.encoded)", fields: fields)
    }

    /// The policy as formatted JSON; `nil` if no policy is needed.
    var policy: String? { json["policy"]?.objectValue.map { JSONValue.object($0).serialized(pretty: true) } }

    /// The complete answer as formatted JSON.
    var text: String { json.serialized(pretty: true) }

    /// Whether every request is decided with the policy as it was recorded.
    var isProven: Bool { failures.isEmpty }

    private var failures: [String] { Self.texts(json["proof"]?["failures"]) }

    /// What was generalized, what was not, and the proof.
    var lines: [String] {
        let proof = json["proof"]
        let (allowed, denied) = (proof?["allowed"]?.integerValue ?? 0, proof?["denied"]?.integerValue ?? 0)
        var lines = Self.texts(json["notes"]).map { "virga: \($0)" }
        if json["complete"]?.boolValue == false { lines.append("virga: not all requests were recorded, because they did not fit") }
        lines.append("virga: decided again with this policy: \(allowed) allowed and \(denied) denied, as recorded")
        lines += failures.map { "virga: not as recorded: \($0)" }
        return lines.map(\.visible)
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
