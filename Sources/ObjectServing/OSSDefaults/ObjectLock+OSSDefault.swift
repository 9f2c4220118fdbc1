import ObjectStore
package import WireFormats

extension ObjectLock.Retention {
    /// Creates the lock of a new object from the default retention of its bucket in OSS.
    /// (OSS API Reference, "PutBucketObjectWormConfiguration".)
    /// - Parameter configuration: the configuration of the bucket, if any.
    /// - Returns: `nil` without a configuration, or if it has no default retention.
    package init?(ossDefault configuration: XMLElement?, from now: Timestamp) {
        guard let rule = configuration?.child("Rule")?.child("DefaultRetention"),
            let mode = rule.child("Mode").flatMap({ ObjectLock.Mode(named: $0.text.trimmed) }),
            let days = rule.integer("Days") ?? rule.integer("Years").map({ $0 * 365 })
        else { return nil }
        self.init(mode: mode, until: now + .seconds(days * 86_400), declared: now)
    }
}
