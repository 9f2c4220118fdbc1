package import ObjectStore
package import WireFormats

extension DefaultRetention {
    /// Reads the configuration of a bucket in OSS. (OSS API Reference, "PutBucketObjectWormConfiguration".)
    /// - Returns: `nil` without a configuration, or if it has no default retention.
    package init?(oss configuration: XMLElement?) {
        guard let rule = configuration?.child("Rule")?.child("DefaultRetention"),
            let mode = rule.child("Mode").flatMap({ ObjectLock.Mode(named: $0.text.trimmed) }),
            let period = rule.integer("Days").map({ Period.days(Int($0)) }) ?? rule.integer("Years").map({ Period.years(Int($0)) })
        else { return nil }
        self.init(mode: mode, period: period)
        guard isPossible else { return nil }
    }
}
