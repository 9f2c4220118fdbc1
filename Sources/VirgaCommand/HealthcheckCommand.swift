import ArgumentParser
import NIOCore

/// `virga healthcheck`: exit code 0 if the cloud answers, for containers that have no other client.
struct HealthcheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Ask a running cloud whether it is well.")

    @Option(help: "Where the cloud runs. [VIRGA_ENDPOINT, default http://127.0.0.1:4566, with VIRGA_PORT's port if set]")
    var endpoint: String?

    func run() async throws {
        let port = Variables.values("PORT").first ?? "4566"
        let endpoint = try OriginArgument.endpoint(endpoint, usual: "http://127.0.0.1:\(port)")
        try await reporting {
            let answer = try await CloudClient.with(endpoint, timeout: .seconds(5)) { client in
                try await client.send("GET", "/_virga/health")
            }
            guard answer.status == 200 else { throw Failure(description: "\(endpoint.text) answered \(answer.status)") }
            Output.line("ok")
        }
    }
}
