import Cloud
import HTTPTypes
import HummingbirdCore
import WireFormats

extension S3Request {
    /// DeleteObject. An object that is not there is deleted as well.
    func deleteObject(_ address: ObjectAddress) async throws -> Response {
        let bucket = try bucket(address.bucket)
        let action = query["versionId"] == nil ? S3Action.deleteObject : .deleteObjectVersion
        try authorize(action, on: bucket, key: address.key, keys: writeKeys)
        try checkVersion()
        try checkDeletionHeaders()
        do {
            var judged: EntityTag?
            if let tag = headers[.ifMatch] {
                guard case .object(let record) = try objects.head(address.key, in: bucket.id) else { throw S3Error.noSuchKey(address.key) }
                guard ReadConditions.matches(tag, record.entityTag) else { throw S3Error.preconditionFailed("If-Match") }
                judged = record.entityTag
            }
            // The store judges once more where it deletes: the object may have been replaced since.
            try await objects.delete(
                KeyDeletion(key: address.key, if: judged.map(Precondition.ifMatch) ?? .none), in: bucket.id,
                on: DeletionTerms(modified: clock.now, owner: bucket.account))
        } catch let error as ObjectStoreError {
            throw S3Error(error, bucket: bucket.name, key: address.key)
        }
        return answer(.noContent)
    }

    /// Refuses headers that mean something to buckets with object lock, or to directory buckets, alone.
    func checkDeletionHeaders() throws(S3Error) {
        if headers.contains(.bypassGovernanceRetention) {
            throw S3Error(
                .invalidArgument,
                "x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.",
                ["ArgumentName": "x-amz-bypass-governance-retention"])
        }
        for field in headers {
            switch field.name.canonicalName {
            case "x-amz-if-match-last-modified-time", "x-amz-if-match-size":
                throw .notImplemented(header: field.name.canonicalName)
            default: break
            }
        }
    }
}
