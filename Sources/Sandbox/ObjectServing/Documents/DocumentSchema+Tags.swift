extension DocumentSchema {
    /// The content of a `Tag`. (S3 API Reference and OSS API Reference, "Tag".)
    package static let tag = Content.members([Member("Key", .text), Member("Value", .text)])

    /// The content of a `TagSet`.
    package static let tagSet = Content.members([Member("Tag", tag, .any)])

    /// The elements of a `Tagging` document.
    package static let tagging = [Member("TagSet", tagSet)]
}
