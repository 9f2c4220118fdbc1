import Calls
import Cloud
import HTTPTypes
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

    /// Appends the headers that describe the lock.
    /// - Parameter clock: the clock of the sandbox, which moves the end of the retention as the sandbox ages.
    func append(to fields: inout HTTPFields, by clock: SandboxClock) {
        if let retention {
            fields.append(HTTPField(name: .objectLockMode, value: retention.mode.name))
            fields.append(
                HTTPField(name: .objectLockRetainUntilDate, value: retention.end(by: clock).iso8601Milliseconds))
        }
        if let legalHold {
            fields.append(HTTPField(name: .objectLockLegalHold, value: legalHold ? "ON" : "OFF"))
        }
    }
}

extension S3Error {
    static var missingObjectLock: S3Error { S3Error(.invalidRequest, "Bucket is missing Object Lock Configuration") }

    static var objectLocked: S3Error { S3Error(.accessDenied, "Access Denied because object protected by object lock.") }
}
