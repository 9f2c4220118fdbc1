extension SeedFile {
    /// `seed/personal-file-store.json5`, which is built in.
    package static var personalFileStore: SeedFile {
        SeedFile(name: "personal-file-store.json5", text: PackageResources.personal_file_store_json5)
    }
}
