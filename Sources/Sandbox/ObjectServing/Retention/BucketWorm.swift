package import Cloud
package import ObjectStore
package import WireFormats

/// The retention policy of a bucket. (OSS User Guide, "Retention policies"; OSS API Reference, "InitiateBucketWorm".)
package struct BucketWorm: Hashable, Sendable {
    /// The name of the document's root element.
    package static let root = "WormConfiguration"

    /// The time in seconds within which the owner must lock a policy; afterwards it is void.
    private static let timeToLock: Int64 = 24 * 3600

    /// More days than any policy can have: seventy years.
    private static let mostDays: Int64 = 100_000

    /// The identifier of the retention policy.
    package var id: String
    /// Whether the policy is locked, so that it cannot be aborted or shortened.
    package var isLocked: Bool
    /// The retention period in days after the last modification of an object.
    package var days: Int64
    /// The creation time.
    package var created: Timestamp

    package init(id: String, days: Int64, created: Timestamp) {
        self.id = id
        isLocked = false
        self.days = days
        self.created = created
    }

    /// Parses ``text``.
    package init?(stored text: String) {
        guard let element = try? XMLElement(parsing: Array(text.utf8)), let id = element.child("WormId")?.text,
            let days = element.child("RetentionPeriodInDays").flatMap({ Int64($0.text) }), 0...Self.mostDays ~= days,
            let created = element.child("CreationDate").flatMap({ Timestamp(iso8601: $0.text) })
        else { return nil }
        self.id = id
        self.days = days
        self.created = created
        isLocked = element.child("State")?.text == "Locked"
    }

    /// The text in the bucket's configuration.
    package var text: String {
        var xml = XMLWriter()
        xml.element(Self.root) { xml in encode(created: created, into: &xml) }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// Writes the document.
    /// - Parameter created: the creation time, including the aging of the sandbox.
    package func encode(created: Timestamp, into xml: inout XMLWriter) {
        xml.element("WormId", id)
        xml.element("State", isLocked ? "Locked" : "InProgress")
        xml.element("RetentionPeriodInDays", days)
        xml.element("CreationDate", created.iso8601WholeSeconds)
    }

    /// Whether the policy is in force: it is locked, or less than a day old.
    package func isInForce(by clock: SandboxClock) -> Bool {
        isLocked || !clock.hasExpired(created + .seconds(Self.timeToLock), issuedAt: created)
    }

    /// Whether the policy protects an object from being deleted or overwritten.
    package func protects(objectOf modified: Timestamp, by clock: SandboxClock) -> Bool {
        isInForce(by: clock) && !clock.hasExpired(modified + .seconds(days * 86_400), issuedAt: modified)
    }
}

extension Bucket {
    /// Returns the retention policy of the bucket that is in force, if any.
    package func worm(by clock: SandboxClock) -> BucketWorm? { configuration.worm(by: clock) }
}

extension BucketConfiguration {
    /// Returns the retention policy of the bucket that is in force, if any.
    package func worm(by clock: SandboxClock) -> BucketWorm? {
        guard let text = documents[.ossWorm], let worm = BucketWorm(stored: text), worm.isInForce(by: clock) else { return nil }
        return worm
    }
}
