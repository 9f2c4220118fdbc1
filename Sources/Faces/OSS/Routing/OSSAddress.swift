import Cloud
import WireFormats

/// The decoded bucket and key of a request; neither for the service itself.
struct OSSAddress: Hashable {
    var bucket: String?
    var key: String?
    /// Whether the host names the bucket.
    var isHostStyle: Bool

    /// Creates the address of the service itself.
    init() { isHostStyle = false }

    /// Parses a path.
    /// - Parameters:
    ///   - path: the percent-encoded path. Slashes in the key can be encoded as `%2F`.
    ///   - bucketFromHost: the bucket of a virtual-hosted request.
    /// - Throws: `InvalidArgument` if the path is not percent-encoded UTF-8, `InvalidBucketName`.
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

    /// Validates the name of a bucket. (OSS User Guide, "Bucket naming conventions".)
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
