import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The actions of the class view.
struct ClassActions {
    let room: SandboxesRoom

    private var visit: Visit { room.visit }

    /// - Parameter segments: the path after `/sandboxes/class`.
    func perform(_ segments: [String]) async throws -> Response {
        let student = segments.count == 2 ? percentEncoded(segments[1]) : ""
        switch (segments[0], segments.count) {
        case ("begin", 1): return try await begin()
        case ("code", 1): return try await finish(.post, "/class/code", .linkRenewed)
        case ("close", 1): return try await finish(.delete, "/class/code", .linkRevoked)
        case ("add", 1): return try await add()
        case ("reset", 1): return try await many(.post, "/class/reset", [:], .classReset)
        case ("restore", 1):
            return try await many(.post, "/class/reset", ["snapshot": .string(visit.form.first("snapshot") ?? "")], .restored)
        case ("end", 1): return try await end()
        case ("renew", 2):
            return try await finish(.post, "/class/students/\(student)/code", .linkRenewed, SandboxesRoom.path(of: segments[1]))
        case ("revoke", 2):
            return try await finish(.delete, "/class/students/\(student)/code", .linkRevoked, SandboxesRoom.path(of: segments[1]))
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    private func finish(
        _ method: HTTPRequest.Method, _ path: String, _ message: DoneMessage, _ page: String = SandboxesRoom.classPath,
        _ body: JSONValue? = nil
    ) async throws -> Response {
        let answer = await visit.client.call(method, path, body)
        if let refusal = answer.refusal { throw refusal }
        return room.done(page, message)
    }

    private func many(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONValue?, _ message: DoneMessage
    ) async throws -> Response {
        let answer = await visit.client.call(method, path, body)
        if let refusal = answer.refusal { throw refusal }
        return room.done(SandboxesRoom.classPath, answer.document(ClassChangeMembers.self).failed.isEmpty ? message : .partlyDone)
    }

    private func begin() async throws -> Response {
        var order: JSONObject = ["root": visit.form.first("random") == "true" ? "random" : "seed"]
        if let from = visit.form.first("from") { order["from"] = .string(from) }
        guard let limit = visit.form.first("limit").flatMap({ Int64(digits: $0) }) else {
            throw ConsoleRefusal(code: "malformed_limit", message: "Enter how many students the class has at most.")
        }
        order["limit"] = .integer(limit)
        return try await finish(.put, "/class", .created, SandboxesRoom.classPath, .object(order))
    }

    private func add() async throws -> Response {
        let lines = (visit.form.first("names") ?? "").split { $0.isNewline }.map { String($0) }
        let names = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        guard !names.isEmpty else { throw ConsoleRefusal(code: "no_names", message: "Enter at least one name.") }
        return try await finish(
            .post, "/class/students", .studentsAdded, SandboxesRoom.classPath, ["names": .array(names.map { .string($0) })])
    }

    private func end() async throws -> Response {
        guard visit.form.first("word")?.lowercased() == "end" else {
            throw ConsoleRefusal(code: "not_confirmed", message: "Nothing was changed. Type the word end into the field to confirm.")
        }
        let query = visit.form.first("sandboxes") == "true" ? "?sandboxes=true" : ""
        return try await many(.delete, "/class\(query)", nil, .ended)
    }
}
