import Calls
import Cloud
import ObjectStore
import WireFormats

extension EntityTag {
    /// As OSS spells it: the MD5 in upper case, and `-` with the number of parts for an object made of parts; in quotes.
    var ossQuoted: String { quoted.uppercased() }
}

extension ObjectRecord {
    /// As OSS spells its tag.
    var ossEntityTag: String { entityTag.ossQuoted }

    /// CRC-64/XZ of the content as a decimal number; `nil` if the object came through a door that does not compute it.
    var ossCRC64: String? { checksums.ossCRC64 }

    /// (OSS API Reference, "HeadObject", `x-oss-object-type`.)
    var ossType: OSSObjectType { OSSObjectType(kind, entityTag) }
}

extension [Checksum] {
    /// CRC-64/XZ as a decimal number.
    var ossCRC64: String? {
        first { $0.algorithm == .crc64xz }.map { checksum in
            String(checksum.bytes.reduce(UInt64.zero) { $0 << 8 | UInt64($1) })
        }
    }
}

/// What an object is, as headers and listings say. (OSS API Reference, "HeadObject" and "ListObjects".)
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
