import WireFormats

/// A checksum of a body that a client declared and the face verified.
/// (S3 User Guide, "Checking object integrity".)
package struct Checksum: Hashable, Sendable {
    /// The algorithms. Raw values are stored: never change one.
    package enum Algorithm: UInt8, Hashable, Sendable, CaseIterable {
        case crc32 = 1
        case crc32c
        case crc64nvme
        case sha1
        case sha256
        case sha512
        case md5
        case xxhash64
        case xxhash3
        case xxhash128
        /// The checksum that OSS stores for every object. Clients do not declare it.
        case crc64xz
    }

    /// The data that the checksum covers.
    package enum Coverage: UInt8, Hashable, Sendable {
        /// The whole body.
        case fullObject = 0
        /// The concatenated checksums of a multipart object's parts.
        case composite
    }

    /// The algorithm.
    package var algorithm: Algorithm
    /// Whether it covers the whole object or the checksums of its parts.
    package var coverage: Coverage
    /// The bytes of the checksum, most significant first: 4 to 64, depending on the algorithm.
    package var bytes: [UInt8]

    package init(_ algorithm: Algorithm, coverage: Coverage = .fullObject, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.coverage = coverage
        self.bytes = bytes
    }

    /// Computes the checksum that OSS stores for an object with this content.
    package init(crc64xzOf content: [UInt8]) {
        var check = CRC64XZ()
        content.withUnsafeBytes { check.update($0) }
        self.init(.crc64xz, bytes: withUnsafeBytes(of: check.value.bigEndian) { Array($0) })
    }
}
