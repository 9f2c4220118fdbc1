import Calls
package import Cloud
import Cryptography
import Directory
package import Logging
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// Writes access log records into the target buckets, as the log delivery service of S3.
/// (S3 User Guide, "Logging requests with server access logging".)
package struct AccessLogDelivery: Sendable {
    /// The time between two deliveries.
    package static let interval = Duration.seconds(60)
    private static let service = "logging.s3.amazonaws.com"

    private let cloud: Cloud
    private let log: AccessLog
    private let logger: Logger
    private let turnstile = Turnstile()

    package init(cloud: Cloud, log: AccessLog, logger: Logger) {
        self.cloud = cloud
        self.log = log
        self.logger = logger
    }

    /// Delivers all pending records. Concurrent calls run one after another.
    package func deliver() async {
        try? await turnstile.pass {
            for (destination, records) in log.take() { await deliver(records, to: destination) }
        }
    }

    private func deliver(_ records: [AccessLogRecord], to destination: AccessLog.Destination) async {
        guard let bucket = cloud.objects.bucket(named: destination.targetName, for: .aws), bucket.id == destination.target else { return }
        // S3 delivers no logs to buckets with a default retention, because the log objects could not be deleted.
        guard bucket.configuration.documents[.objectLock] == nil else { return }
        for (prefix, records) in destination.files(of: records, at: cloud.clock.now) {
            let key = prefix + RequestID().text
            guard mayWrite(key, in: bucket, for: destination) else {
                logger.notice(
                    "Cannot deliver an access log: the target bucket does not allow \(Self.service) to write",
                    metadata: ["bucket": "\(bucket.name)", "source": "\(destination.source)"])
                return
            }
            let text = records.map { $0.line + "\n" }.joined()
            do {
                try await write(Array(text.utf8), under: key, in: bucket, grants: destination.status.targetGrants)
            } catch ObjectStoreError.noSuchBucket, ObjectStoreError.closed {
                // The bucket or the store was removed in the meantime.
            } catch {
                logger.error("Cannot deliver an access log", metadata: ["bucket": "\(bucket.name)", "error": "\(error)"])
            }
        }
    }

    private func write(
        _ bytes: [UInt8], under key: String, in bucket: Bucket, grants: [AccessControlList.Grant]
    ) async throws {
        let writer = cloud.objects.stage(expecting: Int64(bytes.count))
        try await writer.append(ByteBuffer(bytes: bytes))
        var checksum = RunningChecksum(.crc64nvme)
        bytes.withUnsafeBytes { checksum.update($0) }
        var attributes = ObjectAttributes()
        attributes.contentType = "text/plain"
        let owner = AccessControlList.Grant(.canonicalUser(cloud.directory.canonicalUserID(of: bucket.account)), .fullControl)
        let properties = ObjectProperties(
            accessControl: grants.isEmpty || bucket.ignoresLists ? nil : AccessControlList(grants: [owner] + grants))
        try await cloud.objects.put(
            NewObject(
                key: key, attributes: attributes, md5: MD5.hash(bytes),
                checksums: [Checksum(.crc64nvme, bytes: checksum.finalize())], owner: bucket.account, modified: cloud.clock.now,
                properties: properties),
            in: bucket.id, body: writer)
    }

    /// Whether log delivery may write to the bucket: if the policy allows the service or the ACL allows the group.
    /// (S3 User Guide, "Permissions for log delivery".)
    private func mayWrite(_ key: String, in bucket: Bucket, for destination: AccessLog.Destination) -> Bool {
        guard let access = try? BucketAccess(bucket, cloud.directory) else { return false }
        var keys = ConditionKeys()
        keys.set("aws:SourceArn", to: "arn:aws:s3:::\(destination.source)")
        keys.set("aws:SourceAccount", to: destination.sourceAccount)
        keys.set("aws:PrincipalIsAWSService", to: "true")
        keys.set("aws:PrincipalServiceName", to: Self.service)
        keys.set("aws:SecureTransport", to: "true")
        let decision = PolicySet(resource: access.policy).decision(
            for: RequestContext(
                action: S3Action.putObject.rawValue, resource: "arn:aws:s3:::\(bucket.name)/\(key)",
                principal: Principal(.service(Self.service)), resourceAccount: bucket.account, keys: keys))
        switch decision.outcome {
        case .allowed: return true
        case .explicitDeny: return false
        case .implicitDeny:
            return bucket.listInForce?.grants.contains { grant in
                grant.grantee == .group(PredefinedGroup.logDelivery.rawValue)
                    && (grant.permission == .write || grant.permission == .fullControl)
            } ?? false
        }
    }
}

extension AccessLog.Destination {
    /// Divides records into log objects. Each has a key prefix and its records.
    /// (S3 User Guide, "Log object key format".)
    fileprivate func files(of records: [AccessLogRecord], at now: Timestamp) -> [(prefix: String, records: [AccessLogRecord])] {
        let prefix = status.targetPrefix
        guard case .partitioned(let dateSource)? = status.keyFormat else { return [(prefix + Self.stamp(now), records)] }
        let place = "\(prefix)\(sourceAccount)/\(sourceRegion)/\(source)/"
        guard dateSource == "EventTime" else { return [(place + Self.folder(now) + Self.stamp(now), records)] }
        // Group by the day of the event, without the time of day.
        let days = Dictionary(grouping: records) { String($0.time.iso8601.prefix(10)) }
        return days.sorted { $0.key < $1.key }.map { day, records in
            (place + Self.folder(records[0].time) + "\(day)-00-00-00-", records)
        }
    }

    /// Returns a time as `2026-11-21-20-15-09-`.
    private static func stamp(_ time: Timestamp) -> String {
        String(time.iso8601.prefix(19).map { $0 == "T" || $0 == ":" ? "-" : $0 }) + "-"
    }

    /// Returns a date as `2026/11/21/`.
    private static func folder(_ time: Timestamp) -> String {
        String(time.iso8601.prefix(10).map { $0 == "-" ? "/" : $0 }) + "/"
    }
}
