import WireFormats

/// A storage class, with its name in the store: that of S3, or of OSS for the class that S3 lacks.
/// (S3 API Reference, PutObject, `x-amz-storage-class`; OSS User Guide, "Overview of storage classes".)
package enum StorageClass: String, Sendable {
    case standard = "STANDARD"
    case reducedRedundancy = "REDUCED_REDUNDANCY"
    case standardInfrequentAccess = "STANDARD_IA"
    case oneZoneInfrequentAccess = "ONEZONE_IA"
    case intelligentTiering = "INTELLIGENT_TIERING"
    case glacier = "GLACIER"
    case glacierInstantRetrieval = "GLACIER_IR"
    case deepArchive = "DEEP_ARCHIVE"
    case deepColdArchive = "DeepColdArchive"

    /// The name in the store; `nil` for the default class, which is omitted as in headers.
    package var stored: String? { self == .standard ? nil : rawValue }

    /// Whether an object of the class must be restored before it can be read.
    package var isArchive: Bool { self == .glacier || self == .deepArchive || self == .deepColdArchive }

    /// The position in the order in which lifecycle rules transition objects; 0 for classes that are not targets of transitions.
    /// (S3 User Guide, "Transitioning objects using Amazon S3 Lifecycle", the waterfall.)
    package var coldness: Int {
        switch self {
        case .standard, .reducedRedundancy: 0
        case .standardInfrequentAccess: 1
        case .intelligentTiering: 2
        case .oneZoneInfrequentAccess: 3
        case .glacierInstantRetrieval: 4
        case .glacier: 5
        case .deepArchive: 6
        case .deepColdArchive: 7
        }
    }
}
