import ArgumentParser
import ControlDocuments
import VirgaServer
import WireFormats

/// `virga log`: shows the requests in the journal.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the requests to a running server.",
        discussion: """
            Prints the journal: a line for each request, and for a refusal a second line with the reason. With --svg, writes a sequence diagram \
            instead.
            """)

    @Flag(help: "Wait for more, until interrupted.")
    var follow = false

    @Flag(help: "Show only denied and failed requests.")
    var denied = false

    @Option(help: "How many requests to show at first, at most 1000.")
    var limit = 100

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: "Show only the requests of the trace with this ID.")
    var trace: String?

    @Option(help: ArgumentHelp("Write the requests to this SVG file, as a sequence diagram.", valueName: "file"))
    var svg: String?

    @OptionGroup var server: ServerArguments

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000, not \(limit).") }
        if let trace, trace.utf8.count != 32 || !trace.utf8.allSatisfy(Self.isDigit) {
            throw ValidationError("--trace must be a trace ID of 32 hexadecimal digits, not \(trace).")
        }
        guard svg != nil else { return }
        if follow || json { throw ValidationError("--svg writes one picture; omit \(follow ? "--follow" : "--json").") }
        guard limit <= 100 else { throw ValidationError("--limit must be at most 100 with --svg, not \(limit).") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }

    func run() async throws {
        let (endpoint, fields) = (try server.origin(), try server.fields)
        if let svg { return try await reporting { try await draw(to: svg, endpoint, fields) } }
        try await reporting {
            try await CloudClient.with(endpoint) { client in
                var last: Int64 = 0
                var count = limit
                repeat {
                    let entries = try await read(client, fields, after: last, limit: count)
                    for entry in entries.reversed() { show(entry) }
                    last = entries.first?.number ?? last
                    count = 1000
                    if follow { try await Task.sleep(for: .milliseconds(300)) }
                } while follow
            }
        }
    }

    /// The filters as parameters of the control API.
    private var filters: String { (denied ? "&denied=true" : "") + (trace.map { "&trace_id=\($0.lowercased())" } ?? "") }

    /// Writes the newest requests as a sequence diagram, without those to the control API.
    private func draw(to path: String, _ endpoint: OriginArgument, _ fields: [(String, String)]) async throws {
        let target = "/_virga/journal/diagram?exclude=face:control&limit=\(limit)\(filters)"
        let answer = try await CloudClient.with(endpoint) { try await $0.send("GET", target, fields: fields) }
        guard answer.status == 200 else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(endpoint.text) answered \(answer.status)")
        }
        try PrivateFile.write(answer.body, to: path, mode: 0o644, takesDevices: true)
    }

    /// Returns entries, newest first. It omits reads of the control API, since this command itself makes some.
    private func read(_ client: CloudClient, _ fields: [(String, String)], after: Int64, limit: Int) async throws
        -> [Document<EntryMembers>]
    {
        let target = "/_virga/journal?after=\(after)&limit=1000\(filters)"
        let answer = try await client.send("GET", target, fields: fields)
        guard answer.status == 200, let journal = answer.json?.objectValue.map(Document<JournalMembers>.init) else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(client.endpoint) answered \(answer.status)")
        }
        return Array(journal.entries.lazy.filter { $0.face != "control" || $0.method != "GET" }.prefix(limit))
    }

    private func show(_ entry: Document<EntryMembers>) {
        guard let line = LogLine(json: entry.json) else { return }
        Output.line(json ? line.json.serialized() : line.text(isColoured: Output.isColoured(noColor: Variables.all["NO_COLOR"])))
    }
}
