import Cloud
import ObjectServing
import WireFormats

extension StorageClass {
    /// Parses the name of a storage class.
    /// - Throws: `InvalidStorageClass`, also for a class of OSS.
    init(named name: String) throws(S3Error) {
        guard let storageClass = StorageClass(rawValue: name), storageClass != .deepColdArchive else {
            throw S3Error(.invalidStorageClass, nil, ["StorageClassRequested": name])
        }
        self = storageClass
    }
}
