import Calls
package import Cloud
import Cryptography
import Directory
package import Logging
import NIOCore
package import ObjectStore
import Policy
package import WireFormats

/// Writes access logs as objects into their target buckets, as the delivery services of S3 and OSS do.
/// (S3 User Guide, "Logging requests with server access logging"; OSS User Guide, "Logging".)
package struct AccessLogDelivery: Sendable {
    /// The time between two deliveries.
    package static let interval = Duration.seconds(60)

    private let cloud: Cloud
    private let log: AccessLog
    private let permits: @Sendable (String, Bucket, AccessLog.Destination) -> Bool
    private let logger: Logger
    private let turnstile = Turnstile()

    /// - Parameter permits: whether log delivery has permission to write a key in a bucket of S3. OSS delivers within one account and needs
    ///   no permission.
    package init(
        cloud: Cloud, log: AccessLog, logger: Logger,
        permits: @escaping @Sendable (_ key: String, _ bucket: Bucket, AccessLog.Destination) -> Bool
    ) {
        self.cloud = cloud
        self.log = log
        self.logger = logger
        self.permits = permits
    }

    /// Delivers all waiting lines. Concurrent calls run one after another.
    package func deliver() async {
        try? await turnstile.pass {
            for (destination, lines) in log.take() { await deliver(lines, to: destination) }
        }
    }

    private func deliver(_ lines: [AccessLog.Line], to destination: AccessLog.Destination) async {
        guard let bucket = cloud.objects.bucket(named: destination.targetName, for: destination.vendor), bucket.id == destination.target
        else { return }
        switch destination.vendor {
        // S3 does not deliver to buckets with Object Lock.
        case .aws: guard bucket.configuration.defaultRetention == nil else { return }
        case .alibaba: guard bucket.account == destination.sourceAccount else { return }
        }
        for (prefix, lines) in destination.files(of: lines, at: cloud.clock.now) {
            let key = prefix + RequestID().text
            guard destination.vendor == .alibaba || permits(key, bucket, destination) else {
                logger.notice(
                    "Cannot deliver an access log: its bucket does not let log delivery write",
                    metadata: ["bucket": "\(bucket.name)", "source": "\(destination.source)"])
                return
            }
            let text = lines.map { $0.text + "\n" }.joined()
            do {
                try await write(ByteBuffer(string: text), under: key, in: bucket, for: destination)
            } catch ObjectStoreError.noSuchBucket, ObjectStoreError.closed {
                // The bucket was deleted, or the cloud was closed.
            } catch {
                logger.error("Cannot deliver an access log", metadata: ["bucket": "\(bucket.name)", "error": "\(error)"])
            }
        }
    }

    private func write(
        _ content: ByteBuffer, under key: String, in bucket: Bucket, for destination: AccessLog.Destination
    ) async throws {
        let writer = cloud.objects.stage(expecting: Int64(content.readableBytes))
        try await writer.append(content)
        var digests = BodyDigests(bucket.standardChecksums)
        digests.update(content)
        let body = digests.finish()
        var attributes = ObjectAttributes()
        attributes.contentType = "text/plain"
        var properties = ObjectProperties()
        switch destination.vendor {
        case .aws:
            let owner = AccessControlList.Grant(.canonicalUser(cloud.directory.canonicalUserID(of: bucket.account)), .fullControl)
            if !destination.grants.isEmpty, bucket.configuration.ownership != .bucketOwnerEnforced {
                properties.accessControl = AccessControlList(grants: [owner] + destination.grants)
            }
        case .alibaba:
            let defaults = BucketDefaults(of: bucket)
            attributes.storageClass = defaults.storageClass?.stored
            properties.encryption = try defaults.encryption()
        }
        try await cloud.objects.put(
            NewObject(
                key: key, attributes: attributes, md5: body.md5, checksums: body.checksums,
                owner: destination.vendor == .aws ? bucket.account : bucket.owner, modified: cloud.clock.now, properties: properties),
            in: bucket.id, body: writer)
    }
}

extension AccessLog.Destination {
    /// Returns the log objects for lines: the beginning of each key, and the lines in the object.
    fileprivate func files(of lines: [AccessLog.Line], at now: Timestamp) -> [(prefix: String, lines: [AccessLog.Line])] {
        switch naming {
        case .simple: return [(prefix + Self.stamp(now), lines)]
        case .oss: return [(prefix + source + Self.stamp(now.inChina), lines)]
        case .partitioned(let dateSource):
            let place = "\(prefix)\(sourceAccount)/\(sourceRegion)/\(source)/"
            guard dateSource == "EventTime" else { return [(place + Self.folder(now) + Self.stamp(now), lines)] }
            // One object for each day of events; the time of day in its key is zero.
            let days = Dictionary(grouping: lines) { String($0.time.iso8601.prefix(10)) }
            return days.sorted { $0.key < $1.key }.map { day, lines in
                (place + Self.folder(lines[0].time) + "\(day)-00-00-00-", lines)
            }
        }
    }

    /// Returns a time such as `2026-11-21-20-15-09-`.
    private static func stamp(_ time: Timestamp) -> String {
        String(time.iso8601.prefix(19).map { $0 == "T" || $0 == ":" ? "-" : $0 }) + "-"
    }

    /// Returns a date such as `2026/11/21/`.
    private static func folder(_ time: Timestamp) -> String {
        String(time.iso8601.prefix(10).map { $0 == "-" ? "/" : $0 }) + "/"
    }
}

extension Timestamp {
    /// The time that reads in UTC as this time reads in China.
    package var inChina: Timestamp { Timestamp(milliseconds: milliseconds + 8 * 3_600_000) }
}
