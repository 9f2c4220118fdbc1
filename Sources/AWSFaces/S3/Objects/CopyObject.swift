import Cloud
import Cryptography
import Exchange
import HTTPTypes
import HummingbirdCore
import NIOCore
import WireFormats

extension S3Request {
    /// CopyObject.
    func copyObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let source = try CopySourceAddress(header: headers[.copySource] ?? "")
        try authorize(.putObject, on: bucket, key: address.key, keys: writeKeys)
        let replaces = try replacesMetadata()
        let condition = try Precondition(write: headers)
        let algorithm = try headers[.checksumAlgorithm].map { name throws(S3Error) in try Checksum.Algorithm(named: name) }
        let (sourceBucket, record) = try copySource(source)
        guard record.size <= BodyDeclaration.maximumLength else { throw S3Error.copySourceTooLarge }
        let isInPlace =
            sourceBucket.id == bucket.id && source.key.utf8.elementsEqual(address.key.utf8)
        if isInPlace, !replaces, !headers.contains(.storageClass), !headers.contains(.serverSideEncryption) {
            throw S3Error(
                .invalidRequest,
                "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes."
            )
        }
        var attributes = try ObjectAttributes(writing: headers)
        if !replaces {
            let storageClass = attributes.storageClass
            attributes = record.attributes
            attributes.storageClass = storageClass
        }
        let rehashed = try await rehash(record, in: sourceBucket, as: algorithm)
        let copied: ObjectRecord
        do {
            let (now, owner, key) = (clock.now, bucket.account, address.key)
            let chosen = attributes
            copied = try await objects.copy(
                CopySource(bucket: sourceBucket.id, key: source.key, expecting: record.entityTag), to: bucket.id, if: condition
            ) { (found) throws(ObjectStoreError) in
                var record = found
                (record.key, record.owner, record.modified, record.attributes) = (key, owner, now, chosen)
                if let rehashed {
                    record.entityTag = EntityTag(md5: rehashed.md5)
                    record.checksums = [rehashed.checksum]
                }
                return record
            }
        } catch {
            throw S3Error(error, bucket: bucket.name, key: address.key, condition: condition.header)
        }
        return answer(.ok, [.serverSideEncryption: "AES256"], root: "CopyObjectResult") { xml in
            encodeCopy(copied.entityTag, copied.modified, copied.checksums, withType: true, into: &xml)
        }
    }

    /// The members that CopyObjectResult and CopyPartResult share.
    func encodeCopy(
        _ tag: EntityTag, _ modified: Timestamp, _ checksums: [Checksum], withType: Bool, into xml: inout XMLWriter
    ) {
        xml.element("LastModified", modified.iso8601Milliseconds)
        xml.element("ETag", tag.quoted)
        if withType, let first = checksums.first { xml.element("ChecksumType", first.coverage.name) }
        for checksum in checksums { xml.element(checksum.algorithm.element, checksum.text(partCount: nil)) }
    }

    /// The source of a copy, which the caller may read and whose conditions hold.
    func copySource(_ source: CopySourceAddress) throws(S3Error) -> (bucket: Bucket, record: ObjectRecord) {
        guard let bucket = objects.bucket(named: source.bucket) else { throw .noSuchBucket(source.bucket) }
        try check(headers[.expectedSourceBucketOwner], owns: bucket)
        try authorize(source.version == nil ? .getObject : .getObjectVersion, on: bucket, key: source.key)
        if let version = source.version, version != "null" {
            throw .invalidArgument("Invalid version id specified", name: "versionId", value: version)
        }
        let found: Found<ObjectRecord>
        do { found = try objects.head(source.key, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: source.key)
        }
        guard case .object(let record) = found else { throw missing(source.key, in: bucket) }
        let modified = clock.effective(record.modified)
        let conditions = ReadConditions(headers, .copySource)
        switch conditions.judge(record.entityTag, modified: modified, now: exchange.received) {
        case .holds: return (bucket, record)
        case .notModified(let condition), .failed(let condition): throw .preconditionFailed(condition)
        }
    }

    private func replacesMetadata() throws(S3Error) -> Bool {
        switch headers[.metadataDirective] {
        case nil, "COPY": return false
        case "REPLACE": return true
        case let other?:
            throw .invalidArgument("Unknown metadata directive.", name: "x-amz-metadata-directive", value: other)
        }
    }

    /// Hashes a source whose tag or checksum its copy cannot take over: a copy has no parts any more, and may be asked for
    /// a checksum of another kind.
    private func rehash(
        _ record: ObjectRecord, in bucket: Bucket, as algorithm: Checksum.Algorithm?
    ) async throws -> (md5: [UInt8], checksum: Checksum)? {
        let present = record.checksums.first
        let wanted = algorithm ?? present?.algorithm ?? .crc64nvme
        let keepsChecksum = present?.algorithm == wanted && present?.coverage == .fullObject
        if record.entityTag.partCount == nil, keepsChecksum { return nil }
        guard case .object(let stored) = try objects.open(record.key, in: bucket.id), stored.record.entityTag == record.entityTag else {
            throw S3Error.preconditionFailed("x-amz-copy-source-If-Match")
        }
        var md5 = MD5()
        var checksum = RunningChecksum(wanted)
        for try await piece in stored.bytes() {
            piece.withUnsafeReadableBytes { bytes in
                md5.update(bytes)
                checksum.update(bytes)
            }
        }
        return (md5.finalize(), Checksum(wanted, bytes: checksum.finalize()))
    }
}

extension S3Error {
    static var copySourceTooLarge: S3Error {
        S3Error(
            .invalidRequest,
            "The specified copy source is larger than the maximum allowable size for a copy source: \(BodyDeclaration.maximumLength)"
        )
    }
}
