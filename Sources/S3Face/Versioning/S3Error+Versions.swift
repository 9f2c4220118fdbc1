extension S3Error {
    /// A text that is the ID of no version.
    static func invalidVersionID(_ text: String) -> S3Error {
        .invalidArgument("Invalid version id specified", name: "versionId", value: text)
    }

    static func noSuchVersion(_ key: String, _ version: String) -> S3Error {
        S3Error(.noSuchVersion, nil, ["Key": key, "VersionId": version])
    }
}
