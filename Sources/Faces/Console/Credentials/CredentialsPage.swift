import Calls
import ControlDocuments
import WireFormats

/// The page about the doors at which SDKs find credentials: what stands there, and how the last request ended.
struct CredentialsPage {
    let visit: Visit

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let doors = await visit.client.get("/credentials").document(DoorListMembers.self).doors
        var entries: [Document<EntryMembers>] = []
        for kind in Set(doors.map(\.kind)) {
            entries += await visit.client.get("/journal", ["face": kind, "limit": "200"]).document(JournalMembers.self).entries
        }
        let content: HTML = """
            <h1>Credentials</h1>
            <p>Places where SDKs find the credentials of a role without keys, and where jobs get ID tokens. The trust policy of the role decides at each request.</p>
            \(doors.isEmpty ? Self.empty : table(doors, entries))
            """
        var page = ConsolePage(title: "Credentials", section: .credentials, content: content)
        page.isWide = true
        return page.response(for: visit, info: info)
    }

    private static let empty: HTML = """
        <p class="empty">The seed has no instance, task, cluster or job. Start the server with one:</p>
        \(Parts.code("virga serve --seed seed/credentials.json5", id: "seed", label: "the command"))
        """

    private func table(_ doors: [Document<DoorMembers>], _ entries: [Document<EntryMembers>]) -> HTML {
        let rows = doors.enumerated().map { row($1, number: $0, entries) }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Doors"><table class="stack"><thead><tr><th scope="col">Kind</th>\
            <th scope="col">Who stands there</th><th scope="col">Role</th><th scope="col">Last answer</th><th scope="col">Use it</th></tr></thead>
            <tbody>
            \(rows)</tbody></table></div>

            """
    }

    private func row(_ door: Document<DoorMembers>, number: Int, _ entries: [Document<EntryMembers>]) -> HTML {
        let (kind, name) = (door.kind, door.name)
        let address: HTML =
            if let path = door.path {
                "<p class=\"soft\"><code>\(Parts.name(visit.place.services + path))</code></p>"
            } else {
                "<p class=\"soft\">The environment of the job has the token.</p>"
            }
        let role: HTML = door.role.map { Parts.name($0) } ?? "<span class=\"soft\">none</span>"
        return """
            <tr><td>\(kind)</td><td>\(Parts.value(name))\(address)</td>\
            <td>\(role)<p class="soft">trusts \(Parts.value(door.trusted))</p></td>\
            <td>\(answer(Self.last(of: door, in: entries)))</td>\
            <td>\(Parts.code("virga env --credentials \(kind):\(name)", id: "door-\(number)", label: "the command for \(name.visible)"))</td></tr>

            """
    }

    /// How the last request ended, and why.
    private func answer(_ entry: Document<EntryMembers>?) -> HTML {
        guard let entry else { return "<span class=\"soft\">no request yet</span>" }
        let reason: HTML =
            if let reason = entry.reason ?? entry.error {
                "<p class=\"reason\">\(Parts.value(reason))</p>"
            } else {
                ""
            }
        let link = Visit.path("/journal/\(entry.number)")
        return """
            \(Parts.outcome(Outcome(entry))) <a href="\(link)">\(JournalTable.name(entry))</a> \
            \(Parts.time(entry.time))\(reason)
            """
    }

    /// Returns the newest request at a door: those of tasks and jobs by their path, those of pods by the service account that asked. Requests
    /// name no instance.
    private static func last(of door: Document<DoorMembers>, in entries: [Document<EntryMembers>]) -> Document<EntryMembers>? {
        let (kind, path) = (door.kind, door.path ?? "")
        return entries.first { entry in
            guard entry.face.equals(kind) else { return false }
            switch kind {
            case "imds": return true
            case "pod-identity":
                let account = "system:serviceaccount:\(door.name.replacing("/", with: ":"))"
                return entry.caller?.equals(account) == true
            default: return !path.isEmpty && JournalTable.path(entry).hasPrefix(path)
            }
        }
    }
}
