import ArgumentParser

/// `virga seed`: checks, describes, exports and imports seeds.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Check, describe, export and import seeds.",
        subcommands: [SeedCheckCommand.self, SeedSchemaCommand.self, SeedExportCommand.self, SeedImportCommand.self])
}
