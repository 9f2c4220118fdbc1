import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import WireFormats

/// What `x-oss-copy-source` names: an object, and perhaps a version of it. (OSS API Reference, "CopyObject".)
struct OSSCopySourceAddress: Hashable {
    var bucket: String
    var key: String
    var version: String?

    /// Reads `/bucket/key`, URL-encoded; `?versionId=` may follow.
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

/// What a copy reads: an object that the caller may read, and whose conditions hold.
struct OSSReadableSource {
    var bucket: Bucket
    var version: VersionSelector
    var record: ObjectRecord
}

extension OSSRequest {
    private static let copySourceConditions = ReadConditions.Names(
        ifMatch: .ossCopySourceIfMatch, ifNoneMatch: .ossCopySourceIfNoneMatch, ifModifiedSince: .ossCopySourceIfModifiedSince,
        ifUnmodifiedSince: .ossCopySourceIfUnmodifiedSince, prefix: "x-oss-copy-source-")

    /// Finds the source of CopyObject and UploadPartCopy.
    /// - Throws: `NotModified`, `PreconditionFailed` by the conditions; what reading the source throws.
    func copySource() throws(OSSError) -> OSSReadableSource {
        let source = try OSSCopySourceAddress(header: headers.value(of: .ossCopySource) ?? "")
        let bucket = try bucket(source.bucket)
        var version = VersionSelector.current
        if let text = source.version {
            guard let named = OSSVersionID.selector(text, of: source.key) else { throw .invalidVersionID(text) }
            version = named
        }
        let reading = reading(source.key, version, named: source.version, in: bucket, .afterConditions)
        let record = try reading.head(source.key, version: version)
        guard case .selected = try reading.select(record, ReadInput(headers, copySource: Self.copySourceConditions)) else {
            throw OSSError(.notModified)
        }
        return OSSReadableSource(bucket: bucket, version: version, record: record)
    }

    /// Opens the source, which must still be what was judged.
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

    /// Hashes a source whose tag is no digest of its content, or of which the store has no CRC-64/XZ: its copy has both. A link has no
    /// content, and its copy is a link with the same tag.
    func rehash(_ source: OSSReadableSource, for bucket: Bucket) async throws -> ReceivedBody? {
        if case .symlink = source.record.kind { return nil }
        let wanted = bucket.standardChecksums
        let lacksNone = wanted.allSatisfy { algorithm in
            source.record.checksums.contains { $0.algorithm == algorithm && $0.coverage == .fullObject }
        }
        if source.record.entityTag.partCount == nil, lacksNone { return nil }
        return try await open(source).digests(wanted)
    }

    /// `x-oss-copy-source-version-id`, of a source in a bucket that keeps versions.
    func append(_ source: OSSReadableSource, to fields: inout HTTPFields) {
        for field in versionFields(source.record, in: source.bucket) {
            fields.append(HTTPField(name: .ossCopySourceVersionID, value: field.value))
        }
    }
}
