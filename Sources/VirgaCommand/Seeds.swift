import AWSFaces
import Cloud

/// The seeds of a new cloud.
enum Seeds {
    /// The seeds in these files; the personal file store if there are none.
    static func load(_ paths: [String], _ dialect: Dialect = .aws) throws -> [Seed] {
        guard !paths.isEmpty else { return [try personalFileStore.decode()] }
        return try paths.map { try SeedFile(path: $0).decode(dialect.ofPolicies) }
    }

    /// `seed/personal-file-store.json5`, built into the executable.
    static var personalFileStore: SeedFile {
        SeedFile(name: "personal-file-store.json5", text: PackageResources.personal_file_store_json5)
    }
}
