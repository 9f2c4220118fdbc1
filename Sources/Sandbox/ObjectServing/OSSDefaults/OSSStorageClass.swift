package import ObjectStore
import WireFormats

/// A storage class of OSS. (OSS User Guide, "Overview of storage classes".)
package enum OSSStorageClass: String, CaseIterable {
    case standard = "Standard"
    case infrequentAccess = "IA"
    case archive = "Archive"
    case coldArchive = "ColdArchive"
    case deepColdArchive = "DeepColdArchive"

    /// Creates the class of a stored object. Classes that only S3 has are mapped to a class of OSS.
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

    /// The name in the store: that of S3 if S3 has the class; `nil` for the default class.
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

    /// Creates the default class of new objects in a bucket.
    package init(of bucket: Bucket) {
        self = bucket.configuration.documents[.ossStorageClass].flatMap(Self.init) ?? .standard
    }
}
