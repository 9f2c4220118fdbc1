import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    /// Returns the lock of a new object, from the headers or else from the bucket's default retention.
    /// (OSS API Reference, "PutObject", `x-oss-object-worm-…`, and "PutBucketObjectWormConfiguration".)
    /// - Throws: `InvalidArgument`; `InvalidRequest` for a bucket that retains no objects.
    func lock(ofWrite fields: ObjectLockFields, in bucket: Bucket) throws(OSSError) -> ObjectLock {
        var lock = ObjectLock()
        guard bucket.configuration.hasObjectLock else {
            guard fields.isEmpty else {
                throw .missingObjectWorm
            }
            return lock
        }
        switch (fields.mode, fields.until) {
        case (nil, nil):
            do { lock.retention = try BucketDefaults(of: bucket).retention(from: clock.now) } catch { throw OSSError(failure: error) }
        case (let mode?, let until?): lock.retention = try retention(mode, until: until)
        case (let mode?, nil): throw .invalidArgument("The end of the retention is missing.", name: "x-oss-object-worm-mode", value: mode)
        case (nil, let until?):
            throw .invalidArgument("The mode of the retention is missing.", name: "x-oss-object-worm-retain-until-date", value: until)
        }
        if let hold = fields.legalHold { lock.legalHold = try legalHold(hold) }
        return lock
    }

    private func retention(_ name: String, until text: String) throws(OSSError) -> ObjectLock.Retention {
        guard let mode = ObjectLock.Mode(named: name) else {
            throw .invalidArgument("The retention mode is unknown.", name: "Mode", value: name)
        }
        let now = clock.now
        guard let until = Timestamp(iso8601: text), until > now else {
            throw .invalidArgument("The retain until date must be in the future.", name: "RetainUntilDate", value: text)
        }
        return ObjectLock.Retention(mode: mode, until: until, declared: now)
    }

    private func legalHold(_ text: String) throws(OSSError) -> Bool {
        switch text {
        case "ON": return true
        case "OFF": return false
        default: throw .invalidArgument("The legal hold is ON or OFF.", name: "Status", value: text)
        }
    }

    func getObjectRetention(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(
            key, in: bucket, asking: .getObjectRetention, ofVersion: .getObjectRetention)
        guard let retention = record.properties.lock.retention else { throw OSSError(.noSuchObjectWormConfiguration) }
        return answer(root: "Retention") { xml in
            xml.element("Mode", retention.mode.name)
            xml.element("RetainUntilDate", retention.end(by: clock).ossText)
        }
    }

    /// PutObjectRetention. Shortening a retention in governance mode requires the permission to bypass it; in compliance mode it is not
    /// possible.
    func putObjectRetention(_ key: String, in bucket: Bucket) async throws -> Response {
        let (_, version) = try headedObject(
            key, in: bucket, asking: .putObjectRetention, ofVersion: .putObjectRetention)
        guard bucket.configuration.hasObjectLock else { throw OSSError.missingObjectWorm }
        let bypasses = try bypassesGovernance(key, in: bucket)
        let element = try await xmlDocument("Retention")
        guard let mode = element.child("Mode")?.text, let until = element.child("RetainUntilDate")?.text else {
            throw OSSError(.malformedXML)
        }
        let wanted = try retention(mode, until: until)
        let clock = clock
        _ = try await change(key, version, in: bucket) { record throws(ObjectStoreError) in
            if let present = record.properties.lock.retention, present.isInForce(by: clock) {
                let isWeaker = wanted.until < present.end(by: clock) || wanted.mode != present.mode
                guard !isWeaker || (present.mode == .governance && bypasses) else { throw .locked }
            }
            record.properties.lock.retention = wanted
        }
        return answer()
    }

    func getObjectLegalHold(_ key: String, in bucket: Bucket) throws(OSSError) -> Response {
        let (record, _) = try headedObject(
            key, in: bucket, asking: .getObjectLegalHold, ofVersion: .getObjectLegalHold)
        guard let hold = record.properties.lock.legalHold else { throw OSSError(.noSuchObjectWormConfiguration) }
        return answer(root: "LegalHold") { $0.element("Status", hold ? "ON" : "OFF") }
    }

    func putObjectLegalHold(_ key: String, in bucket: Bucket) async throws -> Response {
        let (_, version) = try headedObject(
            key, in: bucket, asking: .putObjectLegalHold, ofVersion: .putObjectLegalHold)
        guard bucket.configuration.hasObjectLock else { throw OSSError.missingObjectWorm }
        let element = try await xmlDocument("LegalHold")
        guard let text = element.child("Status")?.text else { throw OSSError(.malformedXML) }
        let hold = try legalHold(text)
        _ = try await change(key, version, in: bucket) { record throws(ObjectStoreError) in record.properties.lock.legalHold = hold }
        return answer()
    }

    /// Whether the request bypasses retentions in governance mode: it has the header, and its caller has the permission.
    func bypassesGovernance(_ key: String, in bucket: Bucket) throws(OSSError) -> Bool {
        guard try input(GovernanceInput.self).bypasses else { return false }
        try authorize(.bypassGovernanceRetention, on: bucket, key: key)
        return true
    }

    /// Rejects deleting or replacing an object that a retention policy of the bucket protects. The store checks this again.
    /// (OSS User Guide, "Retention policies": objects can neither be modified nor deleted.)
    func refuseRetained(_ key: String, in bucket: Bucket) throws(OSSError) {
        do { try changes(in: bucket).refuseRetained(key) } catch { throw OSSError(error, bucket: bucket.name, key: key) }
    }

    /// Returns the current object under a key; `nil` if there is none.
    func current(_ key: String, in bucket: Bucket) throws(OSSError) -> ObjectRecord? {
        do { return try objects.head(key, in: bucket.id).object } catch { throw OSSError(error, bucket: bucket.name, key: key) }
    }
}

extension OSSError {
    static var missingObjectWorm: OSSError { OSSError(.invalidRequest, "The bucket has no object worm configuration.") }
}
