import Calls
import ControlDocuments
import Federation
import WireFormats

/// The view of a class: who has reached which step. The script updates it every two seconds.
struct ClassPage {
    let room: SandboxesRoom
    let info: CloudInfo
    let sandboxes: [Document<ListedSandboxMembers>]

    /// The URL of a link with a code, at the address of the console.
    static func link(_ code: String, _ visit: Visit) -> String { "\(visit.place.origin)\(Visit.path("/join"))?code=\(code)" }

    func response() async throws -> Response {
        let answer = await room.visit.client.get("/class")
        if let refusal = answer.refusal { throw refusal }
        let found = answer.document(ClassMembers.self)
        let snapshots = await room.visit.client.get("/snapshots").document(SnapshotListMembers.self).snapshots.map(\.name)
        let content: HTML = found.settings.map { running($0, found.students, snapshots) } ?? beginning(snapshots)
        var page = ConsolePage(title: "Class", section: .sandboxes, content: content)
        page.isWide = true
        return page.response(for: room.visit, info: info)
    }

    /// The command that starts a server for a class on other machines.
    private static let command = Parts.code(
        "virga serve --host 0.0.0.0 --console-port 4567 --control-token choose-one --no-outbound", id: "start", label: "the command")

    /// The notice for a server that every program on its machine can control.
    private var openness: HTML {
        guard room.access.controlToken == nil else { return "" }
        return """
            <div class="notice" role="note"><p><strong>This server has no control token</strong>, so that everyone on this machine can open every \
            sandbox and this page. For a class on other machines, start it like this:</p>
            \(Self.command)</div>

            """
    }

    /// The notice for a server whose console other machines cannot open.
    private var closeness: HTML {
        guard room.access.controlToken != nil, room.access.ownPort() == nil, !room.visit.place.origin.hasPrefix("https://") else {
            return ""
        }
        return """
            <div class="notice" role="note"><p><strong>Other machines cannot open this console.</strong> \
            For a class on other machines, restart the server with a port for the console:</p>
            \(Self.command)</div>

            """
    }

    private func beginning(_ snapshots: [String]) -> HTML {
        let origins =
            snapshots.map { name -> HTML in "<option value=\"\(name)\">the snapshot \(name)</option>" }
            + sandboxes.map(\.sandbox.name).filter { $0 != "default" }.map { name -> HTML in
                "<option value=\"\(name)\">the state of \(name)</option>"
            }
        return """
            <p><a href="\(SandboxesRoom.path)">Sandboxes</a></p>
            <h1>Class</h1>
            \(openness)\(closeness)<p>Give each student a sandbox by a link, and see who has reached which step.</p>
            <section class="card lead" aria-labelledby="begin"><h2 id="begin">Begin a class</h2>
            <form method="post" action="\(SandboxesRoom.classPath)/begin">\(room.visit.formToken)
            <div class="fields"><div><label for="limit">Students at most</label>
            <input id="limit" name="limit" type="number" min="1" max="500" value="40" required></div>
            <div><label for="from">Each sandbox is made from</label><select id="from" name="from">
            <option value="seed">the seeds of the process</option>\(origins)</select></div></div>
            <label class="choice"><input type="checkbox" name="random" value="true" checked> A root access key of its own for each student \
            (otherwise test / test opens every sandbox)</label>
            <p><button class="primary">Begin</button></p></form></section>
            \(Parts.calls("curl -X PUT '\(room.visit.place.services)/_virga/class' --data '{\"limit\":40,\"from\":\"seed\",\"root\":\"random\"}'"))

            """
    }

    private func running(
        _ settings: Document<ClassSettingsMembers>, _ students: [Document<ListedStudentMembers>], _ snapshots: [String]
    ) -> HTML {
        let legend = StudentTile.allSteps.enumerated().map { index, step -> HTML in
            "<li><b>\(String(index + 1))</b> \(step.1)</li>"
        }
        // The script opens the page again when the number of sandboxes changes.
        let live: HTML = " data-class=\"/_virga/sandboxes?progress=true\" data-count=\"\(String(sandboxes.count))\""
        let tiles: HTML =
            students.isEmpty
            ? "<p class=\"empty\"\(live)>No student has joined. Show the class link, or add names below.</p>\n"
            : "<ul class=\"students\"\(live)>\n\(students.map { StudentTile(listed: $0).html })</ul>\n"
        return """
            <div class="head"><h1>Class</h1><p class="soft">\(String(students.count)) of \(String(settings.limit)) students \
            <span id="connection" role="status"></span></p></div>
            \(openness)<ol class="legend" aria-label="Steps">\(legend)</ol>
            \(tiles)
            \(links(settings.code))
            \(together(snapshots))
            \(Parts.calls("curl '\(room.visit.place.services)/_virga/class'\ncurl '\(room.visit.place.services)/_virga/sandboxes?progress=true'"))

            """
    }

    private func button(_ action: String, _ label: String, style: String = "", confirm: String? = nil) -> HTML {
        let question: HTML = confirm.map { " data-confirm=\"\($0)\"" } ?? ""
        let kind: HTML = style.isEmpty ? "" : " class=\"\(style)\""
        return """
            <form method="post" action="\(SandboxesRoom.classPath)/\(action)"\(question)>\(room.visit.formToken)<button\(kind)>\(label)</button></form>

            """
    }

    /// Whether the links lead to the machine of the browser, whichever it is.
    private var isLocal: Bool {
        HostNames.isBrowsersMachine(Origin(url: room.visit.place.origin)?.host ?? "")
    }

    /// How to reach the console from other machines, at an address that only this machine reaches.
    var localHint: HTML {
        guard isLocal else { return "" }
        guard let port = room.access.ownPort() else {
            return """
                <p class="soft">This link works on this machine only. For other machines, restart with <code>--console-port 4567</code> and open \
                <code>http://NAME-OF-THIS-MACHINE:4567/</code>.</p>

                """
        }
        return """
            <p class="soft">This link works on this machine only. For other machines, open this page at \
            <code>http://NAME-OF-THIS-MACHINE:\(String(port))/</code>.</p>

            """
    }

    private func links(_ code: String?) -> HTML {
        let shown: HTML =
            code.map { code -> HTML in
                """
                <p>Show it to everyone. A student opens it, types a name, and gets a sandbox. It never opens the sandbox of another student.</p>
                \(Parts.code(Self.link(code, room.visit), id: "class-link", label: "the class link"))
                \(localHint)
                <div class="row"><a class="button" href="\(ClassLinkPage.path)">Show it large, with a QR code</a>\(button("code", "Make a new class link"))\(button("close", "Close the class link"))</div>
                """
            } ?? "<p>The class link is closed.</p>\n\(button("code", "Open a class link"))"
        return """
            <div class="pair actions"><section class="card"><h2>The class link</h2>\(shown)</section>
            <section class="card"><h2>Add students</h2>
            <form method="post" action="\(SandboxesRoom.classPath)/add">\(room.visit.formToken)
            <label for="names">Names, one per line</label><textarea id="names" name="names" rows="4" required></textarea>
            <p><button>Add</button> <a class="button" href="\(SandboxesRoom.classPath)/links">Links to hand out</a></p></form></section></div>

            """
    }

    private func together(_ snapshots: [String]) -> HTML {
        let options = snapshots.map { name -> HTML in "<option>\(name)</option>" }
        let restore: HTML =
            snapshots.isEmpty
            ? "<p class=\"soft\">To restore all, take a snapshot of a sandbox first.</p>\n"
            : """
            <form method="post" action="\(SandboxesRoom.classPath)/restore" class="row" data-confirm="Restore the sandboxes of all students?">\(room.visit.formToken)
            <label for="snapshot">Snapshot</label><select id="snapshot" name="snapshot">\(options)</select>
            <button class="danger">Restore all</button></form>

            """
        return """
            <details class="card fold"><summary>For the whole class: reset, restore, end</summary>
            \(button("reset", "Reset all", style: "danger", confirm: "Reset the sandboxes of all students?"))
            \(restore)<form method="post" action="\(SandboxesRoom.classPath)/end" class="row">\(room.visit.formToken)
            <label for="word">Type <strong>end</strong> to end the class</label>
            <input id="word" name="word" required autocomplete="off" autocapitalize="none" pattern="[eE][nN][dD]">
            <label class="choice"><input type="checkbox" name="sandboxes" value="true"> and delete the sandboxes</label>
            <button class="danger">End</button></form></details>

            """
    }
}
