import Calls
import ControlDocuments
import WireFormats

/// One sandbox: what it is, what was done in it, and its actions.
struct SandboxPage {
    let room: SandboxesRoom
    let info: CloudInfo
    let listed: Document<ListedSandboxMembers>

    private var sandbox: Document<SandboxMembers> { listed.sandbox }
    private var name: String { sandbox.name }
    private var path: String { SandboxesRoom.path(of: name) }
    private var isDefault: Bool { name == "default" }

    func response() async throws -> Response {
        let client = room.visit.client
        let snapshots = await client.get("/snapshots").document(SnapshotListMembers.self).snapshots
        let students = await client.get("/class").document(ClassMembers.self).students
        let student = students.first { $0.student.sandbox == name }?.student
        let classLink: HTML = student == nil ? "" : " · <a href=\"\(SandboxesRoom.classPath)\">Class</a>"
        let content: HTML = """
            <p><a href="\(SandboxesRoom.path)">Sandboxes</a>\(classLink)</p>
            <h1>\(Parts.value(student?.name ?? name))</h1>
            \(facts)
            <div class="row actions">\(room.opening(sandbox, label: "Open the console", isPrimary: true))
            <a class="button" href="\(path)/seed" download>Download as a seed</a></div>
            \(progress)
            \(student.map(link) ?? "")
            <div class="cards">
            \(restore(snapshots))
            \(form("fork", "Fork", "Creates another sandbox with this state.", field: "New name", button: "Fork"))
            \(form("snapshot", "Take a snapshot", "Keeps this state under a name.", field: "Name of the snapshot", button: "Take the snapshot"))
            <section class="card"><h2>Reset</h2><p>Empties the sandbox and applies its seeds again.</p>
            <form method="post" action="\(path)/reset" data-confirm="Reset \(name)? What was made in it is lost.">\(room.visit.formToken)
            <button class="danger">Reset</button></form></section>
            </div>
            \(deletion)
            \(Parts.calls(calls))

            """
        return ConsolePage(title: name, section: .sandboxes, content: content).response(for: room.visit, info: info)
    }

    private var calls: String {
        let url = "\(room.visit.place.services)/_virga/sandboxes"
        return """
            curl '\(url)/\(name)'
            curl -X POST '\(url)/\(name)/fork' --data '{"name":"copy","port":true}'
            curl -X POST '\(url)/\(name)/snapshots' --data '{"name":"base"}'
            curl -X POST '\(url)/\(name)/restore' --data '{"snapshot":"base"}'
            curl -X POST '\(url)/\(name)/reset'
            curl '\(url)/\(name)/seed'
            """
    }

    private var facts: HTML {
        var facts: [(String, HTML)] = [
            ("Sandbox", "<code>\(Parts.value(name))</code>"),
            ("Name in hosts", "<code>\(Parts.value(sandbox.url))</code>"),
            ("Address for clients", "<code>\(Parts.value(SandboxAddresses(sandbox).forClients(at: room.visit.place)))</code>"),
            ("Made from", "\(Parts.value(sandbox.from))"),
            ("Size", "\(Measures.size(sandbox.bytes))"),
            ("Last request", "\(Measures.age(sandbox.used).map { "\($0) ago" } ?? "none yet")"),
        ]
        if let expires = sandbox.expires {
            facts.append(("Is deleted", "\(String(expires.prefix(16)).replacing("T", with: " ")) UTC"))
        }
        let rows = facts.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
        return "<dl class=\"facts\">\n\(rows)</dl>\n"
    }

    private var progress: HTML {
        guard let progress = listed.progress else { return "" }
        let refusal: HTML =
            progress.lastRefusal.map { refusal -> HTML in
                """
                <h3>Last refusal</h3><p><strong>\(Parts.value(refusal.operation)) \(Parts.value(refusal.error ?? ""))</strong></p>
                <p>\(Parts.value(refusal.reason ?? ""))</p>
                """
            } ?? ""
        return """
            <section class="card"><h2>Progress</h2>
            \(StudentTile.steps(progress.steps))
            <p>\(String(progress.requests)) requests, \(String(progress.refusals)) refused</p>
            \(refusal)</section>

            """
    }

    private func link(_ student: Document<StudentMembers>) -> HTML {
        let shown: HTML =
            student.code.map { Parts.secret(ClassPage.link($0, room.visit), id: "link", label: "the link") }
            ?? "<p>The link is revoked. The student cannot sign in.</p>\n"
        return """
            <section class="card"><h2>The student's link</h2>
            <p>It signs in one browser at a time to this sandbox. \
            \(student.signedIn ? "A browser is signed in." : "No browser is signed in.")</p>
            \(shown)<div class="row">
            <form method="post" action="\(SandboxesRoom.classPath)/renew/\(percentEncoded(name))">\(room.visit.formToken)<button>Make a new link</button></form>
            <form method="post" action="\(SandboxesRoom.classPath)/revoke/\(percentEncoded(name))" data-confirm="Revoke the link, and sign the student out?">\
            \(room.visit.formToken)<button class="danger">Revoke the link</button></form></div></section>

            """
    }

    private func form(_ action: String, _ title: String, _ text: String, field: String, button: String) -> HTML {
        """
        <section class="card"><h2>\(title)</h2><p>\(text)</p>
        <form method="post" action="\(path)/\(action)">\(room.visit.formToken)
        <label for="\(action)">\(field)</label>
        <input id="\(action)" name="name" autocomplete="off" autocapitalize="none" maxlength="40" required pattern="[a-z0-9]([a-z0-9\\-]*[a-z0-9])?">
        <p><button>\(button)</button></p></form></section>

        """
    }

    private func restore(_ snapshots: [Document<SnapshotMembers>]) -> HTML {
        guard !snapshots.isEmpty else {
            return "<section class=\"card absent\"><h2>Restore</h2><p class=\"soft\">Take a snapshot first.</p></section>\n"
        }
        let options = snapshots.map(\.name).map { name -> HTML in "<option>\(name)</option>" }
        return """
            <section class="card"><h2>Restore</h2><p>Puts the state of a snapshot in place of this one.</p>
            <form method="post" action="\(path)/restore" data-confirm="Restore \(name)? Its present state is lost.">\(room.visit.formToken)
            <label for="restore">Snapshot</label><select id="restore" name="snapshot">\(options)</select>
            <p><button>Restore</button></p></form></section>

            """
    }

    private var deletion: HTML {
        if isDefault { return "" }
        return """
            <details class="card fold"><summary>Delete this sandbox</summary>
            <p>Its state is lost, and its address stops responding. Its snapshots remain.</p>
            <form method="post" action="\(path)/delete" class="row">\(room.visit.formToken)
            <label for="word">Type <strong>\(name)</strong> to confirm</label>
            <input id="word" name="word" autocomplete="off" autocapitalize="none" required>
            <button class="danger">Delete</button></form></details>

            """
    }
}
