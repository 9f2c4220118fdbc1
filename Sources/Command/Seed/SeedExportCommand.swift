import ArgumentParser
import WireFormats

/// `virga seed export`: prints a running cloud as a seed.
struct SeedExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a running cloud as a seed.",
        discussion:
            "Use it as: virga seed export > seed.json5. Secrets are printed as they are. What a seed cannot hold is listed on standard error."
    )

    @OptionGroup var server: ServerArguments

    func run() async throws {
        let fields = try server.fields
        let endpoint = try server.origin()
        try await reporting {
            let answer = try await CloudClient.with(endpoint) { try await $0.send("GET", "/_virga/seed", fields: fields) }
            guard answer.status == 200 else {
                throw Failure(description: answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)")
            }
            for (name, value) in answer.fields where name.lowercased() == "x-virga-left-out" { Output.note("left out: \(value)".visible) }
            Output.word(answer.body)
        }
    }
}
