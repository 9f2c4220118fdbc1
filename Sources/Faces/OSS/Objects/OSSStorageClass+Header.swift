import ObjectServing

extension OSSStorageClass {
    /// Parses the value of `x-oss-storage-class`.
    /// - Throws: `InvalidArgument`.
    init(header text: String) throws(OSSError) {
        guard let storageClass = OSSStorageClass(rawValue: text) else {
            throw .invalidArgument("The storage class is not supported.", name: "x-oss-storage-class", value: text)
        }
        self = storageClass
    }
}
