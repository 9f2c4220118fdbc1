import ArgumentParser

/// `virga seed`: works with seeds, the documents that fill a new cloud.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Check, describe, export and import seeds.",
        subcommands: [SeedCheckCommand.self, SeedSchemaCommand.self, SeedExportCommand.self, SeedImportCommand.self])
}
