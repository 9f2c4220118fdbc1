import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension Checksum.Algorithm {
    /// As `x-amz-checksum-algorithm` and XML spell it.
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
        // Never on the wire.
        case .crc64xz: "CRC64XZ"
        }
    }

    /// As error messages and header names spell it.
    var lowercaseName: String { name.lowercased() }

    /// The header that carries a checksum of this kind.
    var header: HTTPField.Name { Self.headers[Int(rawValue) - 1] }

    /// The XML element that carries a checksum of this kind.
    var element: String { "Checksum\(name)" }

    /// The length of a checksum of this kind.
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

    /// Whether the checksum of an object can be put together from those of its parts.
    var isCyclicRedundancyCheck: Bool {
        switch self {
        case .crc32, .crc32c, .crc64nvme, .crc64xz: true
        case .sha1, .sha256, .sha512, .md5, .xxhash64, .xxhash3, .xxhash128: false
        }
    }

    /// Reads the spelling of `x-amz-checksum-algorithm`, in any case.
    /// - Throws: `InvalidRequest` that lists the ones that are supported.
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

    /// The algorithm of a header's or trailer's lower-case name `x-amz-checksum-…`.
    init?(header: some StringProtocol) {
        guard let algorithm = Self.known.first(where: { $0.header.canonicalName == header }) else { return nil }
        self = algorithm
    }

    /// Those that S3 has: not the one that OSS keeps of its objects.
    private static let known = allCases.filter { $0 != .crc64xz }

    private static let headers = allCases.map { HTTPField.Name(constant: "x-amz-checksum-\($0.lowercaseName)") }
}

extension [Checksum] {
    /// Those that S3 shows.
    var shown: [Checksum] { contains { $0.algorithm == .crc64xz } ? filter { $0.algorithm != .crc64xz } : self }
}

extension Checksum {
    /// As headers and XML carry it: base 64, and for a composite one the number of parts behind it.
    /// - Parameter partCount: of the object; `nil` for an object without parts.
    func text(partCount: Int?) -> String {
        guard coverage == .composite, let partCount else { return bytes.base64 }
        return "\(bytes.base64)-\(partCount)"
    }
}

extension Checksum.Coverage {
    /// As `x-amz-checksum-type` and `ChecksumType` spell it.
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
