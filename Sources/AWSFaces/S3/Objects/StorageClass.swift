/// Where S3 says that it keeps an object. (S3 API Reference, PutObject, `x-amz-storage-class`.)
enum StorageClass: String {
    case standard = "STANDARD"
    case reducedRedundancy = "REDUCED_REDUNDANCY"
    case standardInfrequentAccess = "STANDARD_IA"
    case oneZoneInfrequentAccess = "ONEZONE_IA"
    case intelligentTiering = "INTELLIGENT_TIERING"
    case glacier = "GLACIER"
    case glacierInstantRetrieval = "GLACIER_IR"
    case deepArchive = "DEEP_ARCHIVE"

    /// - Throws: `InvalidStorageClass`.
    init(named name: String) throws(S3Error) {
        guard let storageClass = StorageClass(rawValue: name) else {
            throw S3Error(.invalidStorageClass, nil, ["StorageClassRequested": name])
        }
        self = storageClass
    }

    /// What the store keeps; the default class is left out there as in headers.
    var stored: String? { self == .standard ? nil : rawValue }

    /// Whether an object of the class must be restored before it can be read.
    var isArchive: Bool { self == .glacier || self == .deepArchive }
}
