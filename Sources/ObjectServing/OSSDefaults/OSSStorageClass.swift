package import ObjectStore

/// Where OSS says that it keeps an object. (OSS User Guide, "Overview of storage classes".)
package enum OSSStorageClass: String, CaseIterable {
    case standard = "Standard"
    case infrequentAccess = "IA"
    case archive = "Archive"
    case coldArchive = "ColdArchive"
    case deepColdArchive = "DeepColdArchive"

    /// The class of a stored object, which may have come through the door of S3 and have a class that OSS does not know.
    package init(stored name: String?) {
        self =
            switch name {
            case "STANDARD_IA", "ONEZONE_IA", "GLACIER_IR": .infrequentAccess
            case "GLACIER": .archive
            case "DEEP_ARCHIVE": .coldArchive
            case Self.deepColdArchive.rawValue: .deepColdArchive
            default: .standard
            }
    }

    /// As the store keeps it: by S3's name where S3 has the class, and not at all where it is the default one.
    package var stored: String? {
        switch self {
        case .standard: nil
        case .infrequentAccess: "STANDARD_IA"
        case .archive: "GLACIER"
        case .coldArchive: "DEEP_ARCHIVE"
        case .deepColdArchive: rawValue
        }
    }

    /// Whether an object of the class must be restored before it can be read.
    package var isArchive: Bool {
        switch self {
        case .standard, .infrequentAccess: false
        case .archive, .coldArchive, .deepColdArchive: true
        }
    }

    /// The class that new objects of a bucket have where their writer says nothing.
    package init(of bucket: Bucket) {
        self = bucket.configuration.documents[.ossStorageClass].flatMap(Self.init) ?? .standard
    }
}
