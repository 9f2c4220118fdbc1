import Calls
import Cloud
import ObjectStore
import WireFormats

extension EntityTag {
    /// The ETag in OSS's form: the MD5 in uppercase, and `-` with the number of parts for a multipart object; in quotes.
    var ossQuoted: String { quoted.uppercased() }
}

extension ObjectRecord {
    /// The ETag of the object in OSS's form.
    var ossEntityTag: String { entityTag.ossQuoted }

    /// The CRC-64/XZ of the content as a decimal number; `nil` if it was not computed when the object was written.
    var ossCRC64: String? { checksums.ossCRC64 }

    /// The type of the object. (OSS API Reference, "HeadObject", `x-oss-object-type`.)
    var ossType: OSSObjectType { OSSObjectType(kind, entityTag) }
}

extension [Checksum] {
    /// The CRC-64/XZ as a decimal number.
    var ossCRC64: String? {
        first { $0.algorithm == .crc64xz }.map { checksum in
            String(checksum.bytes.reduce(UInt64.zero) { $0 << 8 | UInt64($1) })
        }
    }
}

/// The type of an object in headers and listings. (OSS API Reference, "HeadObject" and "ListObjects".)
enum OSSObjectType: String {
    case normal = "Normal"
    case multipart = "Multipart"
    case appendable = "Appendable"
    case symlink = "Symlink"

    init(_ kind: ObjectKind, _ tag: EntityTag) {
        self =
            switch kind {
            case .normal: tag.partCount == nil ? .normal : .multipart
            case .appendable: .appendable
            case .symlink: .symlink
            }
    }
}
