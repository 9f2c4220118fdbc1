import Calls
import ControlDocuments
import WireFormats

/// The list of sandboxes and snapshots.
struct SandboxesPage {
    let room: SandboxesRoom
    let info: CloudInfo
    let sandboxes: [Document<ListedSandboxMembers>]

    func response() async throws -> Response {
        let snapshots = await room.visit.client.get("/snapshots").document(SnapshotListMembers.self).snapshots
        let content: HTML = """
            <div class="head"><h1>Sandboxes</h1>
            <a class="button" href="\(SandboxesRoom.classPath)">Class</a></div>
            <p>A sandbox is a cloud of its own in this process: its own buckets, users, keys, clock and journal, at its own address.</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Sandboxes"><table class="stack">
            <thead><tr><th scope="col">Name</th><th scope="col">Address for clients</th><th scope="col" class="number">Size</th>\
            <th scope="col" class="number">Age</th><th scope="col" class="number">Requests</th><th scope="col">Made from</th>\
            <th scope="col">Console</th></tr></thead>
            <tbody>
            \(sandboxes.map(row))</tbody></table></div>
            \(sandboxes.count == 1 ? empty : "")
            \(creation(snapshots))
            \(list(snapshots))
            \(Parts.calls("curl '\(room.visit.place.services)/_virga/sandboxes?progress=true'\ncurl '\(room.visit.place.services)/_virga/snapshots'"))

            """
        var page = ConsolePage(title: "Sandboxes", section: .sandboxes, content: content)
        page.isWide = true
        return page.response(for: room.visit, info: info)
    }

    private let empty: HTML = """
        <p class="empty">There is only the default sandbox. Create one below, or open Class to give each student one.</p>

        """

    private func row(_ listed: Document<ListedSandboxMembers>) -> HTML {
        let sandbox = listed.sandbox
        let name = sandbox.name
        let requests = listed.progress?.requests
        let state: HTML = sandbox.state == "evicted" ? " <span class=\"tag\">closed until its next request</span>" : ""
        return """
            <tr><th scope="row"><a href="\(SandboxesRoom.path(of: name))">\(Parts.value(name))</a>\(state)</th>\
            <td data-label="Address for clients" class="address"><code>\(Parts.value(SandboxAddresses(sandbox).forClients(at: room.visit.place)))</code></td>\
            <td data-label="Size" class="number">\(Measures.size(sandbox.bytes))</td>\
            <td data-label="Age" class="number">\(Measures.age(sandbox.created) ?? "–")</td>\
            <td data-label="Requests" class="number">\(requests.map(String.init) ?? "–")</td>\
            <td data-label="Made from">\(Parts.value(sandbox.from))</td>\
            <td data-label="Console" class="address">\(room.opening(sandbox, label: "Open the console"))</td></tr>

            """
    }

    private func creation(_ snapshots: [Document<SnapshotMembers>]) -> HTML {
        let origins =
            [("seed", "the seeds of the process"), ("nothing", "nothing")]
            + snapshots.map { ($0.name, "the snapshot \($0.name)") }
            + sandboxes.map(\.sandbox.name).filter { $0 != "default" }.map { ($0, "the present state of \($0)") }
        let options = origins.map { value, text -> HTML in "<option value=\"\(value)\">\(text)</option>" }
        return """
            <section class="card" aria-labelledby="create"><h2 id="create">Create a sandbox</h2>
            <form method="post" action="\(SandboxesRoom.path)/create">\(room.visit.formToken)
            <div class="fields"><div><label for="name">Name</label>
            <input id="name" name="name" autocomplete="off" autocapitalize="none" maxlength="40" pattern="[a-z0-9]([a-z0-9\\-]*[a-z0-9])?" \
            aria-describedby="name-hint"><p class="soft" id="name-hint">Lower-case letters, digits and hyphens. Leave empty to generate a name.</p></div>
            <div><label for="from">Made from</label><select id="from" name="from">\(options)</select></div></div>
            <label class="choice"><input type="checkbox" name="port" value="true" checked> A port of its own, which every client can use</label>
            <label class="choice"><input type="checkbox" name="random" value="true"> A root access key of its own instead of the seed's</label>
            <p><button class="primary">Create</button></p></form></section>

            """
    }

    private func list(_ snapshots: [Document<SnapshotMembers>]) -> HTML {
        guard !snapshots.isEmpty else {
            return """
                <section aria-labelledby="snapshots"><h2 id="snapshots">Snapshots</h2>
                <p class="empty">There is no snapshot. Open a sandbox in the list above and take one. A restore brings its state back in a millisecond.</p></section>

                """
        }
        let rows = snapshots.map { snapshot -> HTML in
            let name = snapshot.name
            return """
                <tr><th scope="row">\(Parts.value(name))</th><td data-label="Of">\(Parts.value(snapshot.from))</td>\
                <td data-label="Size" class="number">\(Measures.size(snapshot.bytes))</td>\
                <td data-label="Age" class="number">\(Measures.age(snapshot.created) ?? "–")</td>\
                <td data-label="Actions"><form method="post" action="\(SandboxesRoom.path)/snapshots/\(percentEncoded(name))/delete" data-confirm="Delete the snapshot \(name)?">\
                \(room.visit.formToken)<button class="small danger" aria-label="Delete the snapshot \(name)">Delete</button></form></td></tr>

                """
        }
        return """
            <section aria-labelledby="snapshots"><h2 id="snapshots">Snapshots</h2>
            <div class="scroll" tabindex="0" role="region" aria-labelledby="snapshots"><table class="stack">
            <thead><tr><th scope="col">Name</th><th scope="col">Of</th><th scope="col" class="number">Size</th>\
            <th scope="col" class="number">Age</th><th scope="col">Actions</th></tr></thead><tbody>
            \(rows)</tbody></table></div></section>

            """
    }
}
