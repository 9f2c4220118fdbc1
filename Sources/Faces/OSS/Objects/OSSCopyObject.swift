import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    func copyObject(_ key: String, in bucket: Bucket) async throws -> Response {
        try authorize(.putObject, on: bucket, key: key)
        let input = try input(CopyObjectInput.self)
        var directives = input.directives
        let declared = try declaredObject(key, input.object, in: bucket)
        let source = try copySource()
        // (OSS API Reference, "CopyObject": "objects that were uploaded by append upload cannot be copied".)
        if case .appendable = source.record.kind { throw OSSError(.operationNotSupported) }
        guard source.record.size <= OSSBodyDeclaration.maximumLength else { throw OSSError(.entityTooLarge) }
        if !directives.replacesTags { try authorizeTags(of: source, to: key, in: bucket) }
        // A copy of an object onto itself always replaces the metadata. (The same, on `x-oss-metadata-directive`.)
        let isSame = source.bucket.id == bucket.id && source.version == .current && source.record.key.utf8.elementsEqual(key.utf8)
        if isSame { directives.replacesMetadata = true }
        let condition = try precondition(forbidsOverwrite: input.object.forbidsOverwrite, to: key, in: bucket)
        let rehashed = try await rehash(source, for: bucket)
        let (now, owner, replacing) = (clock.now, bucket.owner, directives)
        let copied: ObjectRecord
        do {
            copied = try await changes(in: bucket).copy(
                CopySource(
                    bucket: source.bucket.id, key: source.record.key, version: source.version, expecting: source.record.entityTag),
                if: condition
            ) { original throws(ObjectStoreError) in
                var record = replacing.record(of: original, as: declared)
                (record.key, record.modified, record.owner) = (key, now, owner)
                if let rehashed {
                    record.entityTag = EntityTag(md5: rehashed.md5)
                    record.checksums = rehashed.checksums
                } else {
                    record.checksums.removeAll { !bucket.standardChecksums.contains($0.algorithm) }
                }
                return record
            }
        } catch {
            throw refusal(error, key, in: bucket)
        }
        var fields: HTTPFields = [:]
        if let crc = copied.ossCRC64 { fields.append(HTTPField(name: .ossCRC64, value: crc)) }
        for field in versionFields(copied, in: bucket) { fields.append(field) }
        append(source, to: &fields)
        copied.properties.encryption?.append(ossTo: &fields)
        return answer(.ok, fields, root: "CopyObjectResult") { xml in
            xml.element("ETag", copied.ossEntityTag)
            xml.element("LastModified", clock.effective(copied.modified).ossText)
        }
    }
}

extension OSSRequest {
    /// Rejects a copy that takes over the tags of its source, unless the caller may read and write them. (OSS, "CopyObject", permissions:
    /// `oss:GetObjectTagging` and `oss:PutObjectTagging`, and `oss:GetObjectVersionTagging` for a version.)
    private func authorizeTags(of source: OSSReadableSource, to key: String, in bucket: Bucket) throws(OSSError) {
        guard !source.record.properties.tags.isEmpty else { return }
        let action: OSSAction = source.version == .current ? .getObjectTagging : .getObjectVersionTagging
        try authorize(action, on: source.bucket, key: source.record.key, object: source.record)
        try authorize(.putObjectTagging, on: bucket, key: key)
    }
}

/// Whether a copy takes metadata and tags from its source or from the request.
/// (OSS API Reference, "CopyObject", `x-oss-metadata-directive` and `x-oss-tagging-directive`.)
struct OSSCopyDirectives: Hashable, Sendable {
    var replacesMetadata: Bool
    var replacesTags: Bool

    /// Parses the headers.
    /// - Throws: `InvalidArgument`.
    init(_ headers: HTTPFields) throws(OSSError) {
        replacesMetadata = try Self.replaces(headers.value(of: .ossMetadataDirective), "x-oss-metadata-directive")
        replacesTags = try Self.replaces(headers.value(of: .ossTaggingDirective), "x-oss-tagging-directive")
    }

    private static func replaces(_ directive: String?, _ name: String) throws(OSSError) -> Bool {
        switch directive?.uppercased() {
        case nil, "", "COPY": return false
        case "REPLACE": return true
        default: throw .invalidArgument("Unknown directive.", name: name, value: directive ?? "")
        }
    }

    /// Returns the record of the copy. Storage class, ACL, lock and encryption are never taken from the source.
    func record(of original: ObjectRecord, as declared: OSSObjectDeclaration) -> ObjectRecord {
        var record = original
        record.restoration = nil
        if replacesMetadata {
            let contentType = declared.attributes.contentType ?? original.attributes.contentType
            record.attributes = declared.attributes
            record.attributes.contentType = contentType
            // These fields are required for decrypting the copy. (As the tests of the SDK for Python expect of the real service.)
            record.attributes.metadata += original.attributes.metadata.filter { field in
                field.name.hasPrefix("client-side-encryption-") && !declared.attributes.metadata.contains { $0.name == field.name }
            }
        } else {
            record.attributes.storageClass = declared.attributes.storageClass
        }
        record.properties = declared.properties
        if !replacesTags { record.properties.tags = original.properties.tags }
        return record
    }
}
