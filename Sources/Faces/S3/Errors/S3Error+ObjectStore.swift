import Calls
import Cloud
import ObjectStore
import WireFormats

extension S3Error {
    /// Creates the S3 error for an error of the store.
    /// - Parameters:
    ///   - bucket: the bucket of the request.
    ///   - key: the key of the request; empty for a bucket.
    ///   - condition: the header that a write was conditional on.
    ///   - uploadID: the upload of the request; empty for none.
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
            // A rule that was put with OSS.
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
            // Errors of OSS's append operation.
            case .notAppendable, .sealed, .wrongPosition: S3Error(.internalError)
            case .storage where FullStorage.isCause(of: error): S3Error(.quotaExceeded, FullStorage.message(for: error))
            case .bodyDiscarded, .storage: S3Error(.internalError)
            case .closed: S3Error(.serviceUnavailable)
            }
        if code == .internalError { cause = FailureCause(error) }
    }
}
