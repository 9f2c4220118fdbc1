import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension ObjectLock {
    /// Creates the lock of a new object, from the headers or else from the bucket's default retention.
    /// (S3 API Reference, PutObject, `x-amz-object-lock-…`.)
    /// - Throws: `InvalidArgument`; `InvalidRequest` for a bucket without Object Lock.
    init(writing fields: ObjectLockFields, in bucket: Bucket, at now: Timestamp) throws(S3Error) {
        self.init()
        guard bucket.configuration.hasObjectLock else {
            // The text of the operations on locks has spaces. (versity/versitygw#1751)
            guard fields.isEmpty else { throw S3Error(.invalidRequest, "Bucket is missing ObjectLockConfiguration") }
            return
        }
        switch (fields.mode, fields.until) {
        case (nil, nil):
            do { retention = try BucketDefaults(of: bucket).retention(from: now) } catch { throw S3Error(failure: error) }
        case (let mode?, let until?): retention = try Self.retention(mode, until: until, now)
        case (.some, nil): throw Self.incomplete("x-amz-object-lock-retain-until-date")
        case (nil, .some): throw Self.incomplete("x-amz-object-lock-mode")
        }
        switch fields.legalHold {
        case nil: break
        case "ON": legalHold = true
        case "OFF": legalHold = false
        case let other?:
            throw .invalidArgument(
                "Legal Hold must be either of 'ON' or 'OFF'", name: "x-amz-object-lock-legal-hold", value: other)
        }
    }

    private static func retention(_ name: String, until text: String, _ now: Timestamp) throws(S3Error) -> Retention {
        guard let mode = Mode(named: name) else {
            throw .invalidArgument("Unknown wormMode directive.", name: "x-amz-object-lock-mode", value: name)
        }
        guard let until = Timestamp(iso8601: text) else {
            throw .invalidArgument(
                "The retain until date must be provided in ISO 8601 format", name: "x-amz-object-lock-retain-until-date",
                value: text)
        }
        guard until > now else {
            throw .invalidArgument(
                "The retain until date must be in the future!", name: "x-amz-object-lock-retain-until-date", value: text)
        }
        return Retention(mode: mode, until: until, declared: now)
    }

    private static func incomplete(_ missing: String) -> S3Error {
        S3Error(
            .invalidArgument, "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be supplied",
            ["ArgumentName": missing])
    }
}

extension S3Error {
    static var missingObjectLock: S3Error { S3Error(.invalidRequest, "Bucket is missing Object Lock Configuration") }

    static var objectLocked: S3Error { S3Error(.accessDenied, "Access Denied because object protected by object lock.") }
}
