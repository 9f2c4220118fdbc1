import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let retentionLimit = 8 << 10

    func getObjectRetention(_ address: ObjectAddress) throws(S3Error) -> Response {
        let (record, _) = try lockedObject(address, .getObjectRetention)
        guard let retention = record.properties.lock.retention else { throw S3Error(.noSuchObjectLockConfiguration) }
        return answer(root: "Retention") { xml in
            xml.element("Mode", retention.mode.name)
            xml.element("RetainUntilDate", retention.end(by: clock).iso8601Milliseconds)
        }
    }

    /// PutObjectRetention. The permission to put retentions allows extending one. Shortening or removing one in governance mode also
    /// requires the permission to bypass governance. In compliance mode a retention cannot be shortened or removed.
    func putObjectRetention(_ address: ObjectAddress) async throws -> Response {
        let (_, bucket) = try lockedObject(address, .putObjectRetention)
        let bypasses = try bypassesGovernance(address.key, in: bucket)
        let declaration = try declaredBody()
        try checkDigest(declaration)
        let body = try await document(upTo: Self.retentionLimit, declaration)
        let retention = try retention(try xml("Retention", body))
        let clock = clock
        try await change(address, in: bucket) { record throws(ObjectStoreError) in
            if let present = record.properties.lock.retention, present.isInForce(by: clock) {
                let isWeaker =
                    retention.map { wanted in
                        wanted.until < present.end(by: clock) || wanted.mode != present.mode && present.mode == .compliance
                    } ?? true
                // In governance mode a change of the mode requires the bypass as well.
                let isGuarded = isWeaker || retention?.mode != present.mode
                guard !isGuarded || (present.mode == .governance && bypasses) else { throw .locked }
            }
            record.properties.lock.retention = retention
        }
        return answer()
    }

    /// Parses the document of PutObjectRetention.
    /// - Returns: `nil` for an empty document, which removes the retention.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    private func retention(_ element: XMLElement) throws(S3Error) -> ObjectLock.Retention? {
        if element.children.isEmpty { return nil }
        var mode: ObjectLock.Mode?
        var until: Timestamp?
        for child in element.children {
            switch child.name {
            case "Mode": mode = ObjectLock.Mode(named: child.text)
            case "RetainUntilDate": until = Timestamp(iso8601: child.text)
            default: throw S3Error(.malformedXML)
            }
        }
        guard let mode, let until else { throw S3Error(.malformedXML) }
        let now = clock.now
        guard until > now else {
            throw .invalidArgument(
                "The retain until date must be in the future!", name: "RetainUntilDate", value: until.pacificTime)
        }
        return ObjectLock.Retention(mode: mode, until: until, declared: now)
    }

    /// Whether the request bypasses retentions in governance mode. Rejects a caller who has no permission to do so.
    func bypassesGovernance(_ key: String, in bucket: Bucket) throws(S3Error) -> Bool {
        guard try asksToBypassGovernance(in: bucket) else { return false }
        try authorize(.bypassGovernanceRetention, on: bucket, key: key)
        return true
    }

    /// Whether the header asks to bypass retentions in governance mode.
    /// - Throws: `InvalidArgument` for a bucket without Object Lock, whatever the value of the header (observed in S3).
    func asksToBypassGovernance(in bucket: Bucket) throws(S3Error) -> Bool {
        guard let bypasses = try input(GovernanceInput.self).bypasses else { return false }
        guard bucket.configuration.hasObjectLock else {
            if dialect == .ceph { return false }
            throw S3Error(
                .invalidArgument, "x-amz-bypass-governance-retention is only applicable to Object Lock enabled buckets.",
                ["ArgumentName": "x-amz-bypass-governance-retention"])
        }
        return bypasses
    }

    /// Returns the version that the request names, in a bucket with Object Lock.
    func lockedObject(
        _ address: ObjectAddress, _ action: S3Action
    ) throws(S3Error) -> (record: ObjectRecord, bucket: Bucket) {
        let bucket = try bucket(address.bucket)
        guard bucket.configuration.hasObjectLock else {
            try authorize(action, on: bucket, key: address.key)
            throw .missingObjectLock
        }
        return (try addressedObject(address, in: bucket, action), bucket)
    }
}
