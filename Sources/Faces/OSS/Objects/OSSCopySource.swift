import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

/// The object, and optionally its version, in `x-oss-copy-source`. (OSS API Reference, "CopyObject".)
struct OSSCopySourceAddress: Hashable {
    var bucket: String
    var key: String
    var version: String?

    /// Parses `/bucket/key`, URL-encoded, with an optional `?versionId=`.
    /// - Throws: `InvalidArgument`.
    init(header: String) throws(OSSError) {
        var path = header[...]
        if let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) {
            let query = path[mark...].dropFirst()
            guard query.hasPrefix("versionId=") else { throw Self.fault(header) }
            version = String(query.dropFirst("versionId=".count))
            path = path[..<mark]
        }
        guard let decoded = percentDecoded(path) else { throw Self.fault(header) }
        let address = decoded.utf8.first == UInt8(ascii: "/") ? decoded.dropFirst() : decoded[...]
        guard let slash = address.utf8.firstIndex(of: UInt8(ascii: "/")) else { throw Self.fault(header) }
        bucket = String(address[..<slash])
        key = String(Substring(address.utf8[slash...].dropFirst()))
        guard !bucket.isEmpty, !key.isEmpty else { throw Self.fault(header) }
    }

    private static func fault(_ header: String) -> OSSError {
        .invalidArgument(
            "Copy Source must mention the source bucket and key: /sourcebucket/sourcekey.", name: "x-oss-copy-source", value: header)
    }
}

/// The source of a copy. The caller may read it, and the conditions are met.
struct OSSReadableSource {
    var bucket: Bucket
    var version: VersionSelector
    var record: ObjectRecord
}

extension OSSRequest {
    /// Finds and checks the source of CopyObject and UploadPartCopy.
    /// - Throws: `NotModified` or `PreconditionFailed` if a condition is not met; the errors of reading the source.
    func copySource() throws(OSSError) -> OSSReadableSource {
        let input = try input(CopySourceInput.self)
        let source = input.address
        let bucket = try bucket(source.bucket)
        let version = try NamedVersion(oss: source.version, of: source.key)
        let reading = reading(source.key, version, in: bucket, .afterConditions)
        let record = try reading.head(source.key, version: version.selector)
        guard case .selected = try reading.select(record, input.selection) else { throw OSSError(.notModified) }
        return OSSReadableSource(bucket: bucket, version: version.selector, record: record)
    }

    /// Opens the source, which must not have changed since it was checked.
    func open(_ source: OSSReadableSource) throws(OSSError) -> StoredObject {
        let found: Found<StoredObject>
        do { found = try objects.open(source.record.key, version: source.version, in: source.bucket.id) } catch {
            throw OSSError(error, bucket: source.bucket.name, key: source.record.key)
        }
        guard case .object(let stored) = found, stored.record.entityTag == source.record.entityTag else {
            throw OSSError(.preconditionFailed)
        }
        return stored
    }

    /// Computes the digests of a source whose ETag is not a digest of its content, or whose CRC-64/XZ is not stored, because the copy needs
    /// both.
    /// - Returns: `nil` if the digests of the source apply, and for a symbolic link, which has no content.
    func rehash(_ source: OSSReadableSource, for bucket: Bucket) async throws -> ReceivedBody? {
        if case .symlink = source.record.kind { return nil }
        let wanted = bucket.standardChecksums
        let lacksNone = wanted.allSatisfy { algorithm in
            source.record.checksums.contains { $0.algorithm == algorithm && $0.coverage == .fullObject }
        }
        if source.record.entityTag.partCount == nil, lacksNone { return nil }
        return try await open(source).digests(wanted)
    }

    /// Appends `x-oss-copy-source-version-id` if versioning was ever enabled for the source's bucket.
    func append(_ source: OSSReadableSource, to fields: inout HTTPFields) {
        for field in versionFields(source.record, in: source.bucket) {
            fields.append(HTTPField(name: .ossCopySourceVersionID, value: field.value))
        }
    }
}
