import ArgumentParser
import VirgaServer
import WireFormats

/// `virga log`: shows the requests in the journal.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show the requests to a running server.",
        discussion: "Prints the journal: a line for each request, and for a refusal a second line with the reason.")

    @Flag(help: "Wait for more, until interrupted.")
    var follow = false

    @Flag(help: "Show only denied and failed requests.")
    var denied = false

    @Option(help: "How many requests to show at first, at most 1000.")
    var limit = 100

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @OptionGroup var server: ServerArguments

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit must be from 1 to 1000, not \(limit).") }
    }

    func run() async throws {
        let (endpoint, fields) = (try server.origin(), try server.fields)
        try await reporting {
            try await CloudClient.with(endpoint) { client in
                var last: Int64 = 0
                var count = limit
                repeat {
                    let entries = try await read(client, fields, after: last, limit: count)
                    for entry in entries.reversed() { show(entry) }
                    last = entries.first?["number"]?.integerValue ?? last
                    count = 1000
                    if follow { try await Task.sleep(for: .milliseconds(300)) }
                } while follow
            }
        }
    }

    /// Returns entries, newest first. It omits reads of the control API, since this command itself makes some.
    private func read(_ client: CloudClient, _ fields: [(String, String)], after: Int64, limit: Int) async throws -> [JSONValue] {
        let target = "/_virga/journal?after=\(after)&limit=1000\(denied ? "&denied=true" : "")"
        let answer = try await client.send("GET", target, fields: fields)
        guard answer.status == 200, let entries = answer.json?["entries"]?.arrayValue else {
            throw Failure(description: answer.json?["message"]?.stringValue ?? "\(client.endpoint) answered \(answer.status)")
        }
        return Array(entries.lazy.filter { $0["face"] != "control" || $0["method"] != "GET" }.prefix(limit))
    }

    private func show(_ entry: JSONValue) {
        guard let line = LogLine(json: entry) else { return }
        Output.line(json ? line.json.serialized() : line.text(isColoured: Output.isColoured(noColor: Variables.all["NO_COLOR"])))
    }
}
