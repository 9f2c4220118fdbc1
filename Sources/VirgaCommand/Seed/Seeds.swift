import ArgumentParser
import Cloud
import Federation
import Seeds

/// The seeds of a new cloud.
enum Seeds {
    /// The seeds in these files and then the one in `VIRGA_SEED_JSON`; the personal file store if there are none.
    /// - Throws: `ExitCode` after the faults of the seeds were printed.
    static func load(_ paths: [String], _ dialect: Dialect = .aws) throws -> [Seed] {
        var files = try paths.map { try SeedFile(path: $0) }
        if let text = Variables.value("SEED_JSON") { files.append(SeedFile(name: "VIRGA_SEED_JSON", text: Array(text.utf8))) }
        guard !files.isEmpty else { return [try personalFileStore.decode()] }
        do {
            return try SeedFile.decode(files, dialect.ofPolicies)
        } catch let faults as SeedFaults {
            Output.note(faults.description)
            throw ExitCode.failure
        }
    }

    /// `seed/personal-file-store.json5`, built into the executable.
    static var personalFileStore: SeedFile {
        SeedFile(name: "personal-file-store.json5", text: PackageResources.personal_file_store_json5)
    }
}
