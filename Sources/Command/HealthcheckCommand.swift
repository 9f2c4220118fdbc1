import ArgumentParser
import NIOCore

/// `virga healthcheck`: exits with 0 if the server responds, for containers without another client.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Check that a server is healthy.")

    @OptionGroup var server: ServerArguments

    func run() async throws {
        let endpoint = try server.origin()
        try await reporting {
            let answer = try await CloudClient.with(endpoint, timeout: .seconds(5)) { client in
                try await client.send("GET", "/_virga/health", fields: server.sandboxFields)
            }
            guard answer.status == 200 else { throw Failure(description: "\(endpoint.text) answered \(answer.status)") }
            Output.line("ok")
        }
    }
}
