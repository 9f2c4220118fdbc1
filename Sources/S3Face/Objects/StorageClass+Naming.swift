import ObjectServing

extension StorageClass {
    /// - Throws: `InvalidStorageClass`, for a class of the other door too.
    init(named name: String) throws(S3Error) {
        guard let storageClass = StorageClass(rawValue: name), storageClass != .deepColdArchive else {
            throw S3Error(.invalidStorageClass, nil, ["StorageClassRequested": name])
        }
        self = storageClass
    }
}
