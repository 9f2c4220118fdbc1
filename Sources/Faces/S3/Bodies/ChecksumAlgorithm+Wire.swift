import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension Checksum.Algorithm {
    /// The name in `x-amz-checksum-algorithm` and XML.
    var name: String {
        switch self {
        case .crc32: "CRC32"
        case .crc32c: "CRC32C"
        case .crc64nvme: "CRC64NVME"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        case .md5: "MD5"
        case .xxhash64: "XXHASH64"
        case .xxhash3: "XXHASH3"
        case .xxhash128: "XXHASH128"
        // Never sent by S3.
        case .crc64xz: "CRC64XZ"
        }
    }

    /// The name in error messages and header names.
    var lowercaseName: String { name.lowercased() }

    /// The header that carries a checksum of this kind.
    var header: HTTPField.Name { Self.headers[Int(rawValue) - 1] }

    /// The XML element that carries a checksum of this kind.
    var element: String { "Checksum\(name)" }

    /// The length of a checksum of this kind in bytes.
    var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme, .crc64xz, .xxhash64, .xxhash3: 8
        case .md5, .xxhash128: 16
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// Whether the checksum of an object can be combined from those of its parts.
    var isCyclicRedundancyCheck: Bool {
        switch self {
        case .crc32, .crc32c, .crc64nvme, .crc64xz: true
        case .sha1, .sha256, .sha512, .md5, .xxhash64, .xxhash3, .xxhash128: false
        }
    }

    /// Parses the value of `x-amz-checksum-algorithm`, ignoring case.
    /// - Throws: `InvalidRequest`, whose message lists the supported algorithms.
    init(named name: String) throws(S3Error) {
        let upper = name.uppercased()
        guard let algorithm = Self.known.first(where: { $0.name == upper }) else {
            let valid = Self.known.map(\.name).joined(separator: ", ")
            throw S3Error(
                .invalidRequest,
                "Checksum algorithm provided is unsupported. Please try again with any of the valid types: [\(valid)]"
            )
        }
        self = algorithm
    }

    /// Parses the lowercase name of a header or trailer `x-amz-checksum-…`.
    init?(header: some StringProtocol) {
        guard let algorithm = Self.known.first(where: { $0.header.canonicalName == header }) else { return nil }
        self = algorithm
    }

    /// The algorithms that S3 supports: all except the one of OSS.
    private static let known = allCases.filter { $0 != .crc64xz }

    private static let headers = allCases.map { HTTPField.Name(constant: "x-amz-checksum-\($0.lowercaseName)") }
}

extension [Checksum] {
    /// The checksums that S3 returns.
    var shown: [Checksum] { contains { $0.algorithm == .crc64xz } ? filter { $0.algorithm != .crc64xz } : self }
}

extension Checksum {
    /// Returns the value in headers and XML: base64, and for a composite checksum the number of parts after it.
    /// - Parameter partCount: the number of parts of the object; `nil` for an object without parts.
    func text(partCount: Int?) -> String {
        guard coverage == .composite, let partCount else { return bytes.base64 }
        return "\(bytes.base64)-\(partCount)"
    }
}

extension Checksum.Coverage {
    /// The value of `x-amz-checksum-type` and `ChecksumType`.
    var name: String {
        switch self {
        case .fullObject: "FULL_OBJECT"
        case .composite: "COMPOSITE"
        }
    }

    init?(named name: String) {
        switch name {
        case "FULL_OBJECT": self = .fullObject
        case "COMPOSITE": self = .composite
        default: return nil
        }
    }
}
