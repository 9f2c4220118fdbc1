import Calls
import Cloud
import ObjectStore

extension S3Error {
    /// The wire form of a refusal by the store.
    /// - Parameters:
    ///   - bucket: the bucket that was addressed.
    ///   - key: the key that was addressed; empty for a bucket.
    ///   - condition: the header that a write was conditional on.
    ///   - uploadID: the upload that was addressed; empty for none.
    init(
        _ error: ObjectStoreError, bucket: String, key: String = "", condition: String = "If-Match", uploadID: String = ""
    ) {
        self =
            switch error {
            case .noSuchBucket: .noSuchBucket(bucket)
            case .bucketExists: S3Error(.bucketAlreadyExists, nil, ["BucketName": bucket])
            case .bucketNotEmpty: S3Error(.bucketNotEmpty, nil, ["BucketName": bucket])
            case .noSuchKey: .noSuchKey(key)
            case .preconditionFailed: .preconditionFailed(condition)
            case .isDeleteMarker: .noSuchKey(key)
            case .locked: .objectLocked
            // A rule that the door of OSS gave the bucket.
            case .overwritingForbidden:
                S3Error(.accessDenied, "Access Denied because the bucket's overwrite rules protect the object.")
            case .noSuchUpload: .noSuchUpload(uploadID)
            case .invalidPart(let number):
                S3Error(.invalidPart, nil, ["UploadId": uploadID, "PartNumber": String(number)])
            case .invalidPartOrder: S3Error(.invalidPartOrder, nil, ["UploadId": uploadID])
            case .partTooSmall(let number, let size):
                S3Error(
                    .entityTooSmall, nil,
                    ["ProposedSize": String(size), "MinSizeAllowed": "5242880", "PartNumber": String(number)])
            case .bodyTooLarge: S3Error(.entityTooLarge)
            // Answers to OSS's appends.
            case .notAppendable, .sealed, .wrongPosition: S3Error(.internalError)
            case .bodyDiscarded, .storage: S3Error(.internalError)
            case .closed: S3Error(.serviceUnavailable)
            }
        if code == .internalError { cause = FailureCause(error) }
    }
}
