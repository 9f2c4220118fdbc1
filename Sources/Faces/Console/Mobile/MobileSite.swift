import Calls
import HTTPTypes
import WireFormats

/// What every page of the mobile cloud needs: the request, what is kept between requests, and the control API.
struct MobileSite: Sendable {
    let visit: Visit
    let memory: MobileMemory
    let info: CloudInfo

    var sender: Sender { Sender(client: visit.client) }

    /// Returns a field of the form that was sent.
    func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    /// Returns the parts of a kind, such as `backends`.
    /// - Parameter member: the member of the answer; the kind by default.
    func list(_ kind: String, member: String? = nil) async -> [JSONValue] {
        await visit.client.get("/mobile/\(kind)").json[member ?? kind]?.arrayValue ?? []
    }

    /// Returns one part.
    /// - Throws: ``ConsoleRefusal`` if it does not exist.
    func part(_ kind: String, _ name: String) async throws -> JSONObject {
        let answer = await visit.client.get("/mobile/\(kind)/\(percentEncoded(name))")
        if var refusal = answer.refusal {
            refusal.status = HTTPResponse.Status(code: answer.status)
            throw refusal
        }
        return answer.json.objectValue ?? [:]
    }

    /// Creates or replaces a part.
    /// - Throws: ``FormRefusal``.
    func put(_ kind: String, _ name: String, _ document: JSONObject) async throws {
        try await change(.put, "\(kind)/\(percentEncoded(name))", .object(document))
    }

    /// Removes a part.
    /// - Throws: ``FormRefusal``.
    func delete(_ kind: String, _ name: String) async throws {
        try await change(.delete, "\(kind)/\(percentEncoded(name))", nil)
    }

    /// Calls `/_virga/mobile/<path>`.
    /// - Throws: ``FormRefusal``.
    @discardableResult
    func change(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue?) async throws -> ControlAnswer {
        let answer = await visit.client.call(method, "/mobile/\(path)", body)
        if let refusal = answer.refusal { throw FormRefusal(refusal, lines: answer.json["lines"]?.arrayValue ?? []) }
        return answer
    }

    /// The names of the mobile user roles.
    func roles() async -> [String] { await list("roles").compactMap(\.stringValue) }

    /// Returns the value of an environment policy.
    func policy(_ name: String) async -> String? {
        await visit.client.get("/mobile/policies/\(percentEncoded(name))").json["value"]?.stringValue
    }

    /// Returns the identity providers of this cloud, with their people and clients.
    func providers() async -> [JSONValue] {
        var providers: [JSONValue] = []
        for item in await visit.client.get("/providers").json["providers"]?.arrayValue ?? [] {
            guard let name = item["name"]?.stringValue else { continue }
            var provider = await visit.client.get("/providers/\(percentEncoded(name))").json.objectValue ?? [:]
            for member in ["url", "issuer", "canonical_issuer"] { provider[member] = provider[member] ?? item[member] }
            provider["name"] = .string(name)
            provider["kind"] = item["kind"]
            providers.append(.object(provider))
        }
        return providers
    }
}

extension JSONObject {
    /// Returns the text of a member; empty if it is absent.
    func string(_ name: String) -> String { self[name]?.stringValue ?? "" }

    /// Returns whether a member is `true`.
    func isOn(_ name: String) -> Bool { self[name]?.boolValue ?? false }

    /// Returns the texts of a list.
    func texts(_ name: String) -> [String] { self[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// The name and version of a backend, realm or API: `LiftCare(1.0)`.
    var versionedName: String { "\(string("name"))(\(string("version")))" }
}

extension HTML {
    /// Returns the HTML if a condition is true, else nothing. A literal in a conditional expression would be a text, which is escaped.
    static func when(_ condition: Bool, _ html: @autoclosure () -> HTML) -> HTML { condition ? html() : "" }
}

extension JSONValue {
    /// A list of texts.
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension String {
    /// The parts between commas or line breaks, without spaces around them and without empty ones.
    var listed: [String] {
        split { $0 == "," || $0.isNewline }.map(\.trimmed).filter { !$0.isEmpty }
    }

    /// The lines, without spaces around them and without empty ones.
    var nonemptyLines: [String] { split(whereSeparator: \.isNewline).map(\.trimmed).filter { !$0.isEmpty } }
}
