import Calls
import Cloud
import Cryptography
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The source of a copy. The caller may read it, and the conditions are met.
struct ReadableSource {
    var bucket: Bucket
    var version: VersionSelector
    var record: ObjectRecord
}

extension S3Request {
    /// Finds and checks the source of CopyObject and UploadPartCopy.
    func copySource(_ source: CopySourceAddress) throws(S3Error) -> ReadableSource {
        guard let bucket = objects.bucket(named: source.bucket, for: .aws) else { throw .noSuchBucket(source.bucket) }
        try check(headers[.expectedSourceBucketOwner], owns: bucket)
        let named = try NamedVersion(s3: source.version, of: source.key)
        let version = named.selector
        let door = S3ReadingDoor(
            request: self, bucket: bucket, key: source.key, named: named,
            actions: [readAction(version)], subject: .copySource, policy: ReadPolicy(archive: .beforeConditions))
        let reading = ObjectReading(in: bucket, call, through: door)
        let record = try reading.head(source.key, version: version)
        switch try reading.select(record, ReadInput(headers, copySource: .copySource)) {
        case .selected: return ReadableSource(bucket: bucket, version: version, record: record)
        case .notModified(let condition): throw .preconditionFailed(condition)
        }
    }

    /// Opens the source, which must not have changed since it was checked.
    func open(_ source: ReadableSource) throws(S3Error) -> StoredObject {
        let found: Found<StoredObject>
        do { found = try objects.open(source.record.key, version: source.version, in: source.bucket.id) } catch {
            throw S3Error(error, bucket: source.bucket.name, key: source.record.key)
        }
        guard case .object(let stored) = found, stored.record.entityTag == source.record.entityTag else {
            throw .preconditionFailed("x-amz-copy-source-If-Match")
        }
        return stored
    }

    /// Appends `x-amz-copy-source-version-id`, unless it is the null version.
    func append(_ source: ReadableSource, to fields: inout HTTPFields) {
        guard !source.record.version.isNull else { return }
        fields.append(
            HTTPField(name: .copySourceVersionID, value: VersionID.text(source.record.version, of: source.record.key)))
    }

    /// Computes the digests of a source whose ETag or checksums do not apply to the copy. This is the case if the source has parts, if the
    /// request asks for another checksum, or if the source lacks the OSS checksum and the bucket is visible in OSS.
    /// - Returns: `nil` if the digests of the source apply.
    func rehash(
        _ source: ReadableSource, as algorithm: Checksum.Algorithm?, for bucket: Bucket
    ) async throws -> ReceivedBody? {
        let record = source.record
        let present = record.checksums.shown.first
        let wanted = algorithm ?? present?.algorithm ?? .crc64nvme
        let keepsChecksum = present?.algorithm == wanted && present?.coverage == .fullObject
        let keepsTag = record.entityTag.partCount == nil && !record.properties.encryption.hidesDigest
        let further = bucket.furtherChecksums
        let lacksNone = further.allSatisfy { algorithm in record.checksums.contains { $0.algorithm == algorithm } }
        if keepsTag, keepsChecksum, lacksNone { return nil }
        return try await open(source).digests([wanted] + further)
    }
}

extension Bucket {
    /// The checksum algorithms of objects in addition to S3's: that of OSS, if the bucket is visible in OSS.
    var furtherChecksums: [Checksum.Algorithm] { isShown(by: .alibaba) ? [.crc64xz] : [] }
}

extension S3Error {
    static var copySourceTooLarge: S3Error {
        S3Error(
            .invalidRequest,
            "The specified copy source is larger than the maximum allowable size for a copy source: \(BodyDeclaration.maximumLength)"
        )
    }
}
