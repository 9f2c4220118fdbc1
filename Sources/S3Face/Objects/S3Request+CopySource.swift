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
        let version = try selector(of: source)
        let action = readAction(version)
        let found: Found<ObjectRecord>
        do { found = try objects.head(source.key, version: version, in: bucket.id) } catch {
            throw S3Error(error, bucket: bucket.name, key: source.key)
        }
        guard case .object(let record) = found else { throw missing(source, found, action, in: bucket) }
        try authorize(action, on: bucket, object: record)
        try check(record.properties.encryption, against: headers, .copySource)
        try checkIsReadable(record, "Operation is not valid for the source object's storage class")
        let modified = clock.effective(record.modified)
        switch ReadConditions(headers, .copySource).judge(record.entityTag, modified: modified, now: call.received) {
        case .holds: return ReadableSource(bucket: bucket, version: version, record: record)
        case .notModified(let condition), .failed(let condition): throw .preconditionFailed(condition)
        }
    }

    private func selector(of source: CopySourceAddress) throws(S3Error) -> VersionSelector {
        guard let text = source.version else { return .current }
        guard let version = VersionID.selector(text, of: source.key) else { throw .invalidVersionID(text) }
        return version
    }

    /// Returns the error for a source that does not exist or is a delete marker.
    private func missing(
        _ source: CopySourceAddress, _ found: Found<ObjectRecord>, _ action: S3Action, in bucket: Bucket
    ) -> S3Error {
        let error = missing(source.key, in: bucket, asking: action)
        guard error.code == .noSuchKey, let version = source.version else { return error }
        guard case .deleteMarker = found else { return .noSuchVersion(source.key, version) }
        return S3Error(
            .invalidRequest, "The source of a copy request may not specifically refer to a delete marker by version id.")
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
