import ArgumentParser
import ControlDocuments
import WireFormats

/// `virga usage`: imports requests that were made elsewhere.
struct UsageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Import requests of a real account, and decide them.",
        subcommands: [UsageImportCommand.self])
}

/// `virga usage import`: decides the events of CloudTrail files.
struct UsageImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Decide the events of CloudTrail files, and record them.",
        discussion: """
            Reads files of CloudTrail: {"Records":[…]}, an array of events, or one event a line. Each event is decided by the policies of the \
            running server, with the caller that it names, and recorded for virga policy and virga coverage. The exit code is 2 if a \
            decision differs from that of AWS.
            """)

    @Argument(help: "The files; - reads standard input.")
    var files: [String]

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var server: ServerArguments

    func run() async throws {
        let fields = try server.fields
        let endpoint = try server.origin()
        let paths = files
        let events = try await reporting {
            try await CloudClient.with(endpoint) { client in
                var events: [Document<DecidedEventMembers>] = []
                for path in paths {
                    let bytes = try path == "-" ? Input.all() : Input.contents(of: path)
                    guard let bytes else { throw Failure(description: "there is no file \(path)") }
                    // The body of one call is limited, so that a long file is sent in parts.
                    for part in try CloudTrailFile(bytes, name: path).parts {
                        events += try await client.control(
                            DecidedEventsMembers.self, "POST", "usage/cloudtrail", fields: fields, body: part
                        ).events
                    }
                }
                return events
            }
        }
        if json {
            Output.line(JSONValue.object(["events": .array(events.map(\.json))]).serialized(pretty: true))
        } else {
            for event in events { Output.line(Self.line(of: event).visible) }
        }
        if events.contains(where: { $0.agrees == false }) { throw ExitCode(2) }
    }

    private static func line(of event: Document<DecidedEventMembers>) -> String {
        let name = "\(event.service):\(event.event)"
        guard !event.decisions.isEmpty else { return "skipped \(name): \(event.reason ?? "")" }
        let mark = event.agrees == false ? "differs" : "agrees "
        let decided = event.decisions.map { "\($0.action) on \($0.resource) \($0.allowed ? "allowed" : "denied")" }
        let actual = event.error.map { "; AWS answered \($0)" } ?? ""
        let reason = event.reason.map { "; \($0)" } ?? ""
        return "\(mark) \(name) by \(event.caller ?? ""): \(decided.joined(separator: ", "))\(actual)\(reason)"
    }
}

/// A file of CloudTrail, split into bodies for the control API.
struct CloudTrailFile {
    /// Bodies with at most ``mostEvents`` events.
    let parts: [String]

    private static let mostEvents = 200

    /// - Throws: `Failure` for a file that has none of the three forms.
    init(_ bytes: [UInt8], name: String) throws {
        let events: [JSONValue]
        do {
            events = try Self.events(in: bytes)
        } catch {
            throw Failure(description: "\(name): not a file of CloudTrail: \(error)")
        }
        parts = stride(from: 0, to: events.count, by: Self.mostEvents).map { start in
            let part = events[start..<min(start + Self.mostEvents, events.count)]
            return JSONValue.object(["Records": .array(Array(part))]).serialized()
        }
    }

    private static func events(in bytes: [UInt8]) throws(JSONSyntaxError) -> [JSONValue] {
        do {
            let json = try JSONValue(parsing: bytes)
            return json.arrayValue ?? json["Records"]?.arrayValue ?? [json]
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 } }
            guard lines.count > 1 else { throw error }
            return try lines.map { line throws(JSONSyntaxError) in try JSONValue(parsing: line) }
        }
    }
}
