import Calls
import Cloud
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    func copyObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let input = try input(CopyObjectInput.self)
        let (directives, condition, named) = (input.directives, input.condition, input.source)
        try authorize(.putObject, on: bucket, key: address.key)
        try authorizeRead(of: address.key, for: condition, in: bucket)
        try refuseAnonymous("Anonymous users cannot copy objects.  Please authenticate.")
        let source = try copySource(named)
        guard source.record.size <= BodyDeclaration.maximumLength else { throw S3Error.copySourceTooLarge }
        let declared = try declaredObject(address.key, input.object, in: bucket)
        let tags = try directives.replacesTags ? declared.properties.tags : copiedTags(of: source, named, to: address.key, in: bucket)
        if keys != nil {
            try await useKey(of: source.record.properties.encryption, to: .decrypt, named.key, in: source.bucket)
            try await useKey(of: declared.properties.encryption, to: .encrypt, address.key, in: bucket)
        }
        if named.version == nil, source.bucket.id == bucket.id, named.key.utf8.elementsEqual(address.key.utf8) {
            try checkChangesSomething(input, source.record, declared, in: bucket)
        }
        let rehashed = try await rehash(source, as: input.checksumAlgorithm, for: bucket)
        let (key, now) = (address.key, clock.now)
        let copied: ObjectRecord
        do {
            copied = try await changes(in: bucket).copy(
                CopySource(
                    bucket: source.bucket.id, key: named.key, version: source.version, expecting: source.record.entityTag),
                if: condition
            ) { original throws(ObjectStoreError) in
                var record = directives.record(of: original, as: declared, tags: tags)
                (record.key, record.modified) = (key, now)
                record.entityTag.md5 = record.properties.encryption.tagDigest(rehashed?.md5 ?? original.entityTag.md5)
                if let rehashed {
                    record.entityTag.partCount = nil
                    record.checksums = rehashed.checksums
                }
                return record
            }
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key, condition: condition.header)
        }
        var fields = HTTPFields()
        append(copied.properties.encryption, to: &fields, .written)
        append(copied.version, of: copied.key, in: bucket, to: &fields)
        append(source, to: &fields)
        try appendExpiration(of: copied, in: bucket, to: &fields)
        return answer(.ok, fields, root: "CopyObjectResult") { xml in
            encodeCopy(copied.entityTag, copied.modified, copied.checksums, withType: true, into: &xml)
        }
    }

    /// Returns the tags of a source that a copy takes over. If it has tags, reading and writing them requires permission.
    /// (AWS re:Post, "How do I troubleshoot issues with copying an object between Amazon S3 buckets?"; Ceph checks nothing.)
    private func copiedTags(
        of source: ReadableSource, _ named: CopySourceAddress, to key: String, in bucket: Bucket
    ) throws(S3Error) -> [Tag] {
        let tags = source.record.properties.tags
        guard !tags.isEmpty, dialect == .aws else { return tags }
        let action: S3Action = named.version == nil ? .getObjectTagging : .getObjectVersionTagging
        try authorize(action, on: source.bucket, object: source.record)
        try authorize(.putObjectTagging, on: bucket, key: key)
        return tags
    }

    /// Rejects a copy of an object onto itself that changes nothing. If the bucket has an encryption configuration, the copy applies it, so
    /// it is allowed.
    private func checkChangesSomething(
        _ input: CopyObjectInput, _ source: ObjectRecord, _ declared: ObjectDeclaration, in bucket: Bucket
    ) throws(S3Error) {
        let changes =
            input.changesObject || source.restoration != nil
            || declared.properties.encryption != source.properties.encryption
            || bucket.configuration.documents[.encryption] != nil && dialect == .aws
        guard changes else {
            throw S3Error(
                .invalidRequest,
                "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes."
            )
        }
    }

    /// Writes the members that CopyObjectResult and CopyPartResult share.
    func encodeCopy(
        _ tag: EntityTag, _ modified: Timestamp, _ checksums: [Checksum], withType: Bool, into xml: inout XMLWriter
    ) {
        xml.element("LastModified", modified.iso8601WholeSeconds)
        xml.element("ETag", tag.quoted)
        let checksums = checksums.shown
        if withType, let first = checksums.first { xml.element("ChecksumType", first.coverage.name) }
        for checksum in checksums { xml.element(checksum.algorithm.element, checksum.text(partCount: nil)) }
    }
}

/// Whether a copy takes metadata and tags from its source or from the request.
/// (S3 API Reference, CopyObject, `x-amz-metadata-directive` and `x-amz-tagging-directive`.)
struct CopyDirectives: Hashable {
    var replacesMetadata: Bool
    var replacesTags: Bool

    /// Parses the headers.
    /// - Throws: `InvalidArgument`.
    init(_ headers: HTTPFields) throws(S3Error) {
        replacesMetadata = try Self.replaces(headers[.metadataDirective], "metadata", name: "x-amz-metadata-directive")
        replacesTags = try Self.replaces(headers[.taggingDirective], "tagging", name: "x-amz-tagging-directive")
    }

    private static func replaces(_ directive: String?, _ subject: String, name: String) throws(S3Error) -> Bool {
        switch directive {
        case nil, "COPY": return false
        case "REPLACE": return true
        case let other?: throw .invalidArgument("Unknown \(subject) directive.", name: name, value: other)
        }
    }

    /// Returns the record of the copy. Storage class, redirect, ACL, lock and encryption are never taken from the source.
    /// - Parameter tags: the tags of the source or of the request.
    func record(of original: ObjectRecord, as declared: ObjectDeclaration, tags: [Tag]) -> ObjectRecord {
        var record = original
        record.owner = declared.owner
        record.restoration = nil
        if replacesMetadata {
            record.attributes = declared.attributes
        } else {
            record.attributes.storageClass = declared.attributes.storageClass
            record.attributes.websiteRedirect = declared.attributes.websiteRedirect
        }
        record.properties = declared.properties
        record.properties.tags = tags
        return record
    }
}
