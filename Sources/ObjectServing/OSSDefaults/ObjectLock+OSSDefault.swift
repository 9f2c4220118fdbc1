import ObjectStore
package import WireFormats

extension ObjectLock.Retention {
    /// A number that no period exceeds: a period has at most a hundred years.
    private static let longest: Int64 = 100_000

    /// Creates the lock of a new object from the default retention of its bucket in OSS.
    /// (OSS API Reference, "PutBucketObjectWormConfiguration".)
    /// - Parameter configuration: the configuration of the bucket, if any.
    /// - Returns: `nil` without a configuration, or if it has no default retention.
    package init?(ossDefault configuration: XMLElement?, from now: Timestamp) {
        guard let rule = configuration?.child("Rule")?.child("DefaultRetention"),
            let mode = rule.child("Mode").flatMap({ ObjectLock.Mode(named: $0.text.trimmed) }),
            let (number, days) = rule.integer("Days").map({ ($0, 1) }) ?? rule.integer("Years").map({ ($0, 365) }),
            0...Self.longest ~= number
        else { return nil }
        self.init(mode: mode, until: now + .seconds(number * Int64(days) * 86_400), declared: now)
    }
}
