package import Cloud
import Exchange
import HTTPTypes
import ObjectServing
import WireFormats

/// The retention of everything in a bucket. (OSS User Guide, "Retention policies"; OSS API Reference, "InitiateBucketWorm".)
package struct BucketWorm: Hashable, Sendable {
    static let root = "WormConfiguration"

    /// How long an owner has to lock a policy before it is gone.
    private static let timeToLock: Int64 = 24 * 3600

    var id: String
    var isLocked: Bool
    /// Since an object was last written.
    var days: Int64
    var created: Timestamp

    init(id: String, days: Int64, created: Timestamp) {
        self.id = id
        isLocked = false
        self.days = days
        self.created = created
    }

    /// Reads what ``text`` has written.
    init?(stored text: String) {
        guard let element = try? XMLElement(parsing: Array(text.utf8)), let id = element.child("WormId")?.text,
            let days = element.child("RetentionPeriodInDays").flatMap({ Int64($0.text) }),
            let created = element.child("CreationDate").flatMap({ Timestamp(iso8601: $0.text) })
        else { return nil }
        self.id = id
        self.days = days
        self.created = created
        isLocked = element.child("State")?.text == "Locked"
    }

    var text: String {
        var xml = XMLWriter()
        xml.element(Self.root) { xml in encode(created: created, into: &xml) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// - Parameter created: as the sandbox's age has it.
    func encode(created: Timestamp, into xml: inout XMLWriter) {
        xml.element("WormId", id)
        xml.element("State", isLocked ? "Locked" : "InProgress")
        xml.element("RetentionPeriodInDays", days)
        xml.element("CreationDate", created.ossText)
    }

    /// Whether the policy is still there: one that nobody locked within a day is not.
    func isInForce(by clock: SandboxClock) -> Bool {
        isLocked || !clock.hasExpired(created + .seconds(Self.timeToLock), issuedAt: created)
    }

    /// Whether the policy keeps an object from being deleted or overwritten.
    func protects(objectOf modified: Timestamp, by clock: SandboxClock) -> Bool {
        isInForce(by: clock) && !clock.hasExpired(modified + .seconds(days * 86_400), issuedAt: modified)
    }
}

extension BucketWorm {
    /// Whether the retention of a bucket keeps an object from being deleted or overwritten.
    package static func keeps(_ record: ObjectRecord, in bucket: Bucket, by clock: SandboxClock) -> Bool {
        bucket.worm(by: clock)?.protects(objectOf: record.modified, by: clock) ?? false
    }
}

extension Bucket {
    /// The retention of everything in the bucket, if there is one.
    func worm(by clock: SandboxClock) -> BucketWorm? {
        guard let text = configuration.documents[.ossWorm], let worm = BucketWorm(stored: text), worm.isInForce(by: clock) else {
            return nil
        }
        return worm
    }
}

extension OSSRequest {
    private static let longestRetention: Int64 = 70 * 365

    /// GetBucketWorm.
    func getBucketWorm(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize("oss:GetBucketWorm", on: bucket)
        guard let worm = bucket.worm(by: clock) else { throw OSSError(.noSuchWORMConfiguration, nil, ["BucketName": bucket.name]) }
        return answer(root: BucketWorm.root) { xml in worm.encode(created: clock.effective(worm.created), into: &xml) }
    }

    /// InitiateBucketWorm.
    func initiateBucketWorm(_ bucket: Bucket) async throws -> Response {
        try authorize("oss:InitiateBucketWorm", on: bucket)
        let days = try await retentionDays("InitiateWormConfiguration")
        if let worm = bucket.worm(by: clock) {
            throw worm.isLocked
                ? OSSError(.wormConfigurationLocked) : OSSError(.invalidWORMConfiguration, "A WORM configuration is in progress.")
        }
        // The other vendor's door knows no retention of whole buckets, and would not keep it.
        guard bucket.configuration.documents[.sharedWith] == nil else { throw OSSError(.operationNotSupported) }
        guard bucket.configuration.versioning == .never else {
            throw OSSError(.invalidWORMConfiguration, "Versioning and WORM cannot be enabled at the same time.")
        }
        let worm = BucketWorm(id: exchange.id.longText + exchange.id.text.prefix(8), days: days, created: clock.now)
        try await store(worm.text, as: .ossWorm, in: bucket)
        return answer(.ok, [.ossWormID: worm.id])
    }

    /// AbortBucketWorm.
    func abortBucketWorm(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize("oss:AbortBucketWorm", on: bucket)
        if bucket.worm(by: clock)?.isLocked == true { throw OSSError(.wormConfigurationLocked) }
        try await store(nil, as: .ossWorm, in: bucket)
        return answer(.noContent)
    }

    /// CompleteBucketWorm: nobody can abort the policy any more.
    func completeBucketWorm(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize("oss:CompleteBucketWorm", on: bucket)
        var worm = try namedWorm(bucket)
        guard !worm.isLocked else { throw OSSError(.wormConfigurationLocked) }
        worm.isLocked = true
        try await store(worm.text, as: .ossWorm, in: bucket)
        return answer()
    }

    /// ExtendBucketWorm: a locked policy can become longer.
    func extendBucketWorm(_ bucket: Bucket) async throws -> Response {
        try authorize("oss:ExtendBucketWorm", on: bucket)
        let days = try await retentionDays("ExtendWormConfiguration")
        var worm = try namedWorm(bucket)
        guard worm.isLocked, days > worm.days else { throw OSSError(.invalidWORMConfiguration) }
        worm.days = days
        try await store(worm.text, as: .ossWorm, in: bucket)
        return answer()
    }

    private func namedWorm(_ bucket: Bucket) throws(OSSError) -> BucketWorm {
        guard let worm = bucket.worm(by: clock), worm.id == query["wormId"] else {
            throw OSSError(.noSuchWORMConfiguration, nil, ["BucketName": bucket.name])
        }
        return worm
    }

    private func retentionDays(_ root: String) async throws -> Int64 {
        let element = try await xmlDocument(root)
        guard DocumentSchema.holds(element, .members([.init("RetentionPeriodInDays", .number)])),
            let days = element.child("RetentionPeriodInDays").flatMap({ Int64($0.text.trimmed) })
        else { throw OSSError(.malformedXML) }
        guard (1...Self.longestRetention).contains(days) else {
            throw OSSError.invalidArgument("RetentionPeriodInDays is invalid.", name: "RetentionPeriodInDays", value: String(days))
        }
        return days
    }
}
