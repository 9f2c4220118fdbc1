import WireFormats

/// A checksum that a client declared for a body and the face has verified.
/// S3 User Guide, "Checking object integrity".
package struct Checksum: Hashable, Sendable {
    /// Raw values are stored: never change one.
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
        /// Kept by OSS of every object; no client declares it.
        case crc64xz
    }

    /// What the bytes were computed over.
    package enum Coverage: UInt8, Hashable, Sendable {
        /// The whole body.
        case fullObject = 0
        /// The concatenated checksums of a multipart object's parts.
        case composite
    }

    /// The algorithm.
    package var algorithm: Algorithm
    /// Whether it is of the whole object or of the checksums of its parts.
    package var coverage: Coverage
    /// The checksum's bytes, most significant first; as many as its algorithm makes: 4 to 64.
    package var bytes: [UInt8]

    package init(_ algorithm: Algorithm, coverage: Coverage = .fullObject, bytes: [UInt8]) {
        self.algorithm = algorithm
        self.coverage = coverage
        self.bytes = bytes
    }

    /// What OSS keeps of an object with this content.
    package init(crc64xzOf content: [UInt8]) {
        var check = CRC64XZ()
        content.withUnsafeBytes { check.update($0) }
        self.init(.crc64xz, bytes: withUnsafeBytes(of: check.value.bigEndian) { Array($0) })
    }
}
