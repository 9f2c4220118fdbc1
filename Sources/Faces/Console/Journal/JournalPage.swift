import Calls
import ControlDocuments
import WireFormats

/// The list of recent requests, newest first. The script adds new ones each second.
struct JournalPage {
    /// The most requests of the list.
    private static let limit = 150
    /// The most requests of groups, which need more room.
    private static let groupLimit = 100

    let visit: Visit

    private var filter: JournalFilter { JournalFilter(query: visit.query) }
    private var isGrouped: Bool { visit.query.first("group") == "trace" }

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        var request = filter.request
        request.fields.append(.init(name: "limit", value: String(isGrouped ? Self.groupLimit : Self.limit)))
        let answer = await visit.client.get("/journal", request)
        let journal = answer.document(JournalMembers.self)
        let entries = journal.entries
        let content: HTML = """
            <div class="head"><h1>Journal</h1>
            <div class="row"><button type="button" class="small" data-pause hidden aria-pressed="false">Pause</button>
            <span id="connection" class="soft" role="status"></span></div></div>
            \(filterForm(info))
            <p><a href="\(Visit.path("/journal/sequence"))?\(visit.query.encoded)">These requests as a sequence diagram</a></p>
            \(answer.refusal.map { refusal -> HTML in "<p class=\"error\" role=\"alert\">\(Parts.value(refusal.message))</p>" } ?? "")
            \(isGrouped ? JournalGroups(entries).html : list(journal))
            \(entries.isEmpty ? empty : "")
            \(actions(journal.state.capture))
            \(callBehind(request))
            """
        var page = ConsolePage(title: "Journal", section: .journal, content: content)
        page.isWide = true
        return page.response(for: visit, info: info)
    }

    /// The list that the script continues.
    private func list(_ journal: Document<JournalMembers>) -> HTML {
        """
        <div class="scroll" tabindex="0" role="region" aria-label="Requests, newest first" data-live="/_virga/journal?\(filter.request.encoded)" \
        data-last="\(String(journal.state.last))" data-first="\(String(journal.state.first))" \
        data-generation="\(String(journal.generation))">
        \(JournalTable(entries: journal.entries).html)
        </div>

        """
    }

    private func filterForm(_ info: CloudInfo) -> HTML {
        let services =
            [""] + ["s3", "sts", "iam", "oss", "alibaba-sts", "ram", "mobile"]
            + info.providers.map(\.name)
        let chosen = filter["face"]
        let all = services.contains(chosen) ? services : services + [chosen]
        let options = all.map { name -> HTML in
            "<option value=\"\(name)\"\(name == chosen ? " selected" : "")>\(name.isEmpty ? "all services" : name.visible)</option>"
        }
        return """
            <form method="get" action="\(Visit.path("/journal"))" class="filters" role="search" data-filters>
            <div><label for="text">Text</label><input id="text" name="text" value="\(filter["text"])" type="search"></div>
            <div><label for="face">Service</label><select id="face" name="face">\(options)</select></div>
            <div><label for="operation">Operation</label><input id="operation" name="operation" value="\(filter["operation"])"></div>
            <div><label for="caller">Caller</label><input id="caller" name="caller" value="\(filter["caller"])"></div>
            <div><label for="status">Status</label><input id="status" name="status" value="\(filter["status"])" placeholder="403 or 4*"></div>
            <fieldset><legend class="sr">Show</legend>
            <label class="choice"><input type="checkbox" name="denied" value="true"\(filter.deniedOnly ? " checked" : "")> Denied only</label>
            <label class="choice"><input type="checkbox" name="faulted" value="true"\(filter.faultedOnly ? " checked" : "")> Errors on demand only</label>
            <label class="choice"><input type="checkbox" name="control" value="true"\(filter.showsControl ? " checked" : "")> Control API too</label>
            <label class="choice"><input type="checkbox" name="group" value="trace"\(isGrouped ? " checked" : "")> Group by trace</label>
            </fieldset>
            <div class="buttons"><button>Filter</button> <a href="\(Visit.path("/journal"))">Clear filters</a></div>
            </form>

            """
    }

    private var empty: HTML {
        if filter.isActive {
            return """
                <p class="empty" id="empty">No request matches these filters. <a href="\(Visit.path("/journal"))">Show all requests</a></p>

                """
        }
        return """
            <div class="empty" id="empty"><p>Nothing yet. Try this, and watch it appear:</p>
            \(Parts.code("aws s3 ls --endpoint-url \(visit.place.services)", id: "try", label: "the command"))</div>

            """
    }

    private func actions(_ capture: Document<CaptureMembers>?) -> HTML {
        let captureForm: HTML =
            if let capture {
                """
                <form method="post" action="\(Visit.path("/journal/uncapture"))">\(visit.formToken)<button>Stop capturing</button></form>
                <p class="soft">Headers and bodies are captured until \(String(capture.until.dropFirst(11).prefix(5))) UTC.</p>
                """
            } else {
                """
                <form method="post" action="\(Visit.path("/journal/capture"))">\(visit.formToken)<button>Capture headers and bodies for 30 minutes</button></form>
                """
            }
        return """
            <div class="row actions">
            \(captureForm)
            <form method="post" action="\(Visit.path("/journal/clear"))" data-confirm="Remove every entry of the journal?">\(visit.formToken)\
            <button class="danger">Clear the journal</button></form>
            </div>

            """
    }

    private func callBehind(_ request: FormFields) -> HTML {
        """
        \(Parts.calls("curl '\(visit.place.services)/_virga/journal?\(request.encoded)'"))

        """
    }
}
