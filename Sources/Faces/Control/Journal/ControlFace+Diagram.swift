import Calls
import Cloud
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `GET /_virga/journal/diagram`: returns the selected requests as a sequence diagram, an SVG file whose arrows link to the console.
    func drawJournal(_ call: Call) throws -> Response {
        let filter = try JournalFilter(parsing: call.query)
        let entries = call.cloud.journal.recent(limit: Int.max, where: filter.selects)
        let steps = entries.prefix(min(filter.limit, SequenceDiagram.mostArrows)).reversed().map { JournalStep($0) }
        let diagram = SequenceDiagram(steps, earlier: entries.count - steps.count)
        let title = filter.traceID.map { "Trace \($0)" } ?? "Requests of the journal"
        return Response(
            status: .ok, contentType: "image/svg+xml", text: diagram.file(title: title, entries: "\(call.origin)/_virga/ui/journal/"))
    }
}
