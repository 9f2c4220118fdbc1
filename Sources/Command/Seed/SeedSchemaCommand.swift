import ArgumentParser
import Cloud
import Seeds
import WireFormats

/// `virga seed schema`: prints the JSON Schema of seeds.
struct SeedSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of seeds, draft 2020-12.",
        discussion: "Editors complete and check seeds with it. 'virga seed check' finds more, such as unknown references.")

    func run() { Output.line(SeedSchema.document.serialized(pretty: true)) }
}
