import Calls
import ControlDocuments
import HTTPTypes
import NIOCore
import WireFormats

/// Sandboxes and snapshots, and the view of a class.
struct SandboxesRoom: ConsoleRoom {
    let visit: Visit
    let access: ConsoleAccess

    static let path = Visit.path("/sandboxes")
    static let classPath = Visit.path("/sandboxes/class")

    /// The path of a sandbox's page.
    static func path(of sandbox: String) -> String { "\(path)/named/\(percentEncoded(sandbox))" }

    // MARK: GET

    func show() async throws -> Response {
        let segments = Array(visit.segments.dropFirst())
        if segments.count == 3, segments[0] == "named", segments[2] == "seed" { return try await seed(of: segments[1]) }
        let info = try await CloudInfo(visit.client)
        let answer = await visit.client.get("/sandboxes", ["progress": "true"])
        guard answer.isSuccess else { return try await OwnSandboxPage(room: self, info: info, refusal: answer.refusal).response() }
        let sandboxes = answer.document(SandboxListMembers.self).sandboxes
        switch (segments.first, segments.count) {
        case (nil, _): return try await SandboxesPage(room: self, info: info, sandboxes: sandboxes).response()
        case ("leave", 1): return leave(sandboxes)
        case ("class", 1): return try await ClassPage(room: self, info: info, sandboxes: sandboxes).response()
        case ("class", 2) where segments[1] == "link":
            return try await ClassLinkPage(room: self, info: info).response()
        case ("class", 2) where segments[1] == "links":
            return try await ClassLinksPage(room: self, info: info).response()
        case ("named", 2):
            guard let sandbox = sandboxes.first(where: { $0.sandbox.name == segments[1] }) else {
                throw ConsoleRefusal(
                    code: "unknown_sandbox", message: "There is no sandbox \(segments[1]) any more.", status: .notFound)
            }
            return try await SandboxPage(room: self, info: info, listed: sandbox).response()
        default: throw ConsoleRefusal.noSuchPage
        }
    }

    /// Returns the redirect to the class in the console of the default sandbox, where the teacher is signed in.
    private func leave(_ sandboxes: [Document<ListedSandboxMembers>]) -> Response {
        guard let main = sandboxes.first(where: { $0.sandbox.name == "default" }), access.sandbox != "default",
            let origin = SandboxAddresses(main.sandbox).originOfDefault(for: visit.place)
        else { return Visit.seeOther(Self.classPath) }
        guard access.controlToken != nil, let ticket = SandboxTicket(sandbox: "default", access: access).issue(visit.session) else {
            return Visit.seeOther("\(origin)\(Self.classPath)")
        }
        return Visit.seeOther("\(origin)\(Visit.path("/enter"))?ticket=\(ticket)&to=class")
    }

    /// Returns a sandbox as a seed, as a file.
    private func seed(of sandbox: String) async throws -> Response {
        // The console of a student may read its own sandbox only, by the call for that.
        let path = visit.isStudent && sandbox == access.sandbox ? "/seed" : "/sandboxes/\(percentEncoded(sandbox))/seed"
        let answer = await visit.client.get(path)
        if let refusal = answer.refusal { throw refusal }
        var headers = HTTPFields.unstored
        headers[.contentDisposition] = "attachment; filename=\"seed.json5\""
        headers[.xContentTypeOptions] = "nosniff"
        headers[.resourcePolicy] = "same-origin"
        var response = Response(
            status: .ok, contentType: "application/json; charset=utf-8", headers: headers, text: answer.text)
        response.display = .page
        return response
    }

    // MARK: POST

    func act() async throws -> Response {
        let segments = Array(visit.segments.dropFirst())
        switch (segments.first, segments.count) {
        case ("create", 1): return try await SandboxActions(room: self).create()
        case ("named", 3): return try await SandboxActions(room: self).perform(segments[2], on: segments[1])
        case ("snapshots", 3) where segments[2] == "delete": return try await SandboxActions(room: self).deleteSnapshot(segments[1])
        case ("class", 2...): return try await ClassActions(room: self).perform(Array(segments.dropFirst()))
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    /// Returns the redirect after an action.
    func done(_ path: String, _ message: DoneMessage) -> Response { Visit.seeOther("\(path)?done=\(message.rawValue)") }

    /// A link or button that opens the console of a sandbox.
    func opening(_ sandbox: Document<SandboxMembers>, label: String, isPrimary: Bool = false) -> HTML {
        let name = sandbox.name
        if name == access.sandbox {
            return "<span class=\"soft\">this console</span>"
        }
        let style = isPrimary ? "button primary" : "button small"
        guard let origin = SandboxAddresses(sandbox).origin(for: visit.place) else {
            return """
                <form method="post" action="\(Self.path(of: name))/open">\(visit.formToken)\
                <button class="\(isPrimary ? "primary" : "small")" aria-label="\(label) of \(name)">\(label)</button></form>
                """
        }
        let path =
            access.controlToken == nil
            ? Visit.path("/")
            : Visit.path("/enter?ticket=\(SandboxTicket(sandbox: name, access: access).issue(visit.session) ?? "")")
        return "<a class=\"\(style)\" href=\"\(origin)\(path)\" aria-label=\"\(label) of \(name)\">\(label)</a>"
    }
}

/// The page in a console that has no right over the process: what it can do in its own sandbox.
struct OwnSandboxPage {
    let room: SandboxesRoom
    let info: CloudInfo
    let refusal: ConsoleRefusal?

    func response() async throws -> Response {
        let visit = room.visit
        let reason: HTML =
            visit.isStudent
            ? "<p>You are signed in to one sandbox. The list of all sandboxes, snapshots and the class belong to the teacher.</p>"
            : "<p>\(Parts.value(refusal?.message ?? "", limit: 300))</p>"
        let content: HTML = """
            <h1>Sandboxes</h1>
            <section class="card lead"><h2>Your sandbox: \(Parts.value(info.sandbox))</h2>
            \(reason)
            <dl class="facts"><div><dt>Address for clients</dt><dd><code>\(Parts.value(visit.place.services))</code></dd></div></dl>
            \(try await keys)
            <p><a class="button" href="\(SandboxesRoom.path(of: info.sandbox))/seed" download>Download as a seed</a>
            <a class="button" href="\(Visit.path("/"))">Reset it on Home</a></p></section>

            """
        return ConsolePage(title: "Sandboxes", section: .sandboxes, content: content).response(for: visit, info: info)
    }

    /// The root access key, which may be random in a class. It is read only when the user asks for it.
    private var keys: HTML {
        get async throws {
            guard room.visit.query.first("keys") == "show" else {
                return "<p><a href=\"\(SandboxesRoom.path)?keys=show\">Show the root access key for AWS clients</a></p>\n"
            }
            let accounts = await room.visit.client.get("/seed").json["accounts"]?.arrayValue ?? []
            guard let key = accounts.lazy.compactMap({ $0["rootKeys"]?.arrayValue?.first }).first else {
                return "<p class=\"soft\">The root user of this sandbox has no access key.</p>\n"
            }
            let text = """
                export AWS_ENDPOINT_URL=\(room.visit.place.services) AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
                export AWS_ACCESS_KEY_ID=\(key["id"]?.stringValue ?? "") AWS_SECRET_ACCESS_KEY=\(key["secret"]?.stringValue ?? "")
                """
            return Parts.code(text, id: "keys", label: "variables for AWS clients")
        }
    }
}
