import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The actions on sandboxes and snapshots.
struct SandboxActions {
    let room: SandboxesRoom

    private var visit: Visit { room.visit }

    func create() async throws -> Response {
        var order: JSONObject = ["from": .string(visit.form.first("from") ?? "seed")]
        if let name = visit.form.first("name"), !name.isEmpty { order["name"] = .string(name) }
        if visit.form.first("port") == "true" { order["port"] = true }
        if visit.form.first("random") == "true" { order["root"] = "random" }
        let answer = await visit.client.post("/sandboxes", .object(order))
        if let refusal = answer.refusal { throw refusal }
        return room.done(SandboxesRoom.path(of: answer.document(SandboxMembers.self).name), .created)
    }

    func deleteSnapshot(_ name: String) async throws -> Response {
        let answer = await visit.client.call(.delete, "/snapshots/\(percentEncoded(name))", nil)
        if let refusal = answer.refusal { throw refusal }
        return room.done(SandboxesRoom.path, .deleted)
    }

    func perform(_ action: String, on sandbox: String) async throws -> Response {
        let path = "/sandboxes/\(percentEncoded(sandbox))"
        let page = SandboxesRoom.path(of: sandbox)
        switch action {
        case "open": return try await open(sandbox)
        case "fork":
            let order: JSONValue = ["name": .string(visit.form.first("name") ?? ""), "port": true]
            let answer = try await post("\(path)/fork", order)
            return room.done(SandboxesRoom.path(of: answer.document(SandboxMembers.self).name), .created)
        case "snapshot":
            _ = try await post("\(path)/snapshots", ["name": .string(visit.form.first("name") ?? "")])
            return room.done(page, .snapshotTaken)
        case "restore":
            _ = try await post("\(path)/restore", ["snapshot": .string(visit.form.first("snapshot") ?? "")])
            return room.done(page, .restored)
        case "reset":
            _ = try await post("\(path)/reset", [:])
            return room.done(page, .resetSandbox)
        case "delete":
            guard visit.form.first("word") == sandbox else {
                throw ConsoleRefusal(
                    code: "not_confirmed", message: "Nothing was changed. Type the name of the sandbox into the field to confirm.")
            }
            let answer = await visit.client.call(.delete, path, nil)
            if let refusal = answer.refusal { throw refusal }
            return room.done(SandboxesRoom.path, .deleted)
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    private func post(_ path: String, _ body: JSONValue) async throws -> ControlAnswer {
        let answer = await visit.client.post(path, body)
        if let refusal = answer.refusal { throw refusal }
        return answer
    }

    /// Makes the console's own port show a sandbox to this browser.
    private func open(_ sandbox: String) async throws -> Response {
        let answer = await visit.client.get("/sandboxes/\(percentEncoded(sandbox))")
        if let refusal = answer.refusal { throw refusal }
        guard !visit.isStudent, visit.place.isOwnPort, room.access.controlToken != nil,
            let token = room.access.cookieTokens.issue(visit.session)
        else {
            throw ConsoleRefusal(code: "no_address", message: "The console of \(sandbox) has no address at this host. Use its port.")
        }
        var response = Visit.seeOther(Visit.path("/"))
        let value = SignInCookie.value(token, of: sandbox)
        response.headers.append(HTTPField(name: .setCookie, value: SignInCookie(place: visit.place).setting(value)))
        return response
    }
}
