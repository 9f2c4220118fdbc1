import WireFormats

/// The bucket and the key that a request is about, decoded; neither for the service itself.
struct OSSAddress: Hashable {
    var bucket: String?
    var key: String?
    /// Whether the host names the bucket.
    var isHostStyle: Bool

    /// The service itself.
    init() { isHostStyle = false }

    /// - Parameters:
    ///   - path: as received, percent-encoded. A key's slashes come as they are or as `%2F`.
    ///   - bucketFromHost: the bucket of a request in host style.
    /// - Throws: `InvalidArgument` for what is no percent-encoded UTF-8, `InvalidBucketName`.
    init(path: String, bucketFromHost: String?) throws(OSSError) {
        isHostStyle = bucketFromHost != nil
        let rest = path.dropFirst()
        let rawBucket = bucketFromHost == nil ? rest.prefix { $0 != "/" } : ""
        let rawKey = bucketFromHost == nil ? rest.dropFirst(rawBucket.count + 1) : rest
        guard let named = percentDecoded(rawBucket), let key = percentDecoded(rawKey) else {
            throw OSSError(.invalidArgument, "The request URI is not well-formed.")
        }
        bucket = bucketFromHost ?? (named.isEmpty ? nil : named)
        self.key = key.isEmpty ? nil : key
        if let bucket { try Self.check(bucket) }
    }

    /// (OSS User Guide, "Bucket naming conventions".)
    private static func check(_ name: String) throws(OSSError) {
        let bytes = name.utf8
        func isLetterOrDigit(_ byte: UInt8?) -> Bool { byte.map { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) } ?? false }
        guard (3...63).contains(bytes.count), isLetterOrDigit(bytes.first), isLetterOrDigit(bytes.last),
            bytes.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
        else { throw OSSError(.invalidBucketName, nil, ["BucketName": name]) }
    }
}

/// A key in a bucket.
struct OSSObjectAddress: Hashable {
    var bucket: String
    var key: String
}
