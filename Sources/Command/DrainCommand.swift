import ArgumentParser
import NIOCore
import WireFormats

/// `virga drain`: drains a server before it stops, for containers without another client.
struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain", abstract: "Drain a server: it stops being ready, and its clients go elsewhere.")

    @OptionGroup var server: ServerArguments

    @Option(help: "How many seconds to wait until no other connection is open.")
    var wait: Int = 0

    @Flag(help: "End draining.")
    var undo = false

    private static let pause = Duration.milliseconds(200)

    func run() async throws {
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait must be from 0 to 86400 seconds, not \(wait).") }
        let endpoint = try server.origin()
        let fields = try server.fields
        try await reporting {
            try await CloudClient.with(endpoint, timeout: .seconds(5)) { client in
                var state = try await client.control(undo ? "DELETE" : "POST", "drain", fields: fields)
                let end = ContinuousClock.now + .seconds(wait)
                // One connection is that of this command.
                while !undo, (state["connections"]?.integerValue ?? 0) > 1, ContinuousClock.now < end {
                    try await Task.sleep(for: Self.pause)
                    state = try await client.control("GET", "drain", fields: fields)
                }
                let others = max(0, (state["connections"]?.integerValue ?? 1) - 1)
                Output.line(
                    "\(state["status"]?.stringValue ?? "") with \(others) other open connection\(others == 1 ? "" : "s")")
            }
        }
    }
}
