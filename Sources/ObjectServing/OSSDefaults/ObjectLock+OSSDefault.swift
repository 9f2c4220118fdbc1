import ObjectStore
package import WireFormats

extension ObjectLock.Retention {
    /// How a bucket of OSS retains a new object whose writer says nothing of it.
    /// (OSS API Reference, "PutBucketObjectWormConfiguration".)
    /// - Parameter configuration: the bucket's; nothing, or one without a default, makes nothing of it.
    package init?(ossDefault configuration: XMLElement?, from now: Timestamp) {
        guard let rule = configuration?.child("Rule")?.child("DefaultRetention"),
            let mode = rule.child("Mode").flatMap({ ObjectLock.Mode(named: $0.text.trimmed) }),
            let days = rule.integer("Days") ?? rule.integer("Years").map({ $0 * 365 })
        else { return nil }
        self.init(mode: mode, until: now + .seconds(days * 86_400), declared: now)
    }
}
