import Caching
import Calls
import Cloud
import Federation
package import ObjectStore
package import Policy
import WireFormats

extension ObjectChanges {
    /// Refuses early, before a body is received, to replace or take away what a key leads to while the bucket is retained as a whole. The
    /// change itself judges it once more.
    /// - Throws: `locked`; `storage`.
    package func refuseRetained(_ key: String) throws(ObjectStoreError) {
        let clock = call.cloud.clock
        guard let worm = bucket.worm(by: clock), let record = try call.cloud.objects.head(key, in: bucket.id).object,
            worm.protects(objectOf: record.modified, by: clock)
        else { return }
        throw .locked
    }

    /// Refuses early to add to an object that is retained.
    /// - Throws: `locked`; `storage`.
    package func refuseLocked(_ key: String) throws(ObjectStoreError) {
        try refuseRetained(key)
        guard bucket.configuration.hasObjectLock, let record = try call.cloud.objects.head(key, in: bucket.id).object,
            record.properties.lock.forbidsDeletion(by: call.cloud.clock, bypassingGovernance: false)
        else { return }
        throw .locked
    }

    /// What may stand in the way of deletions, and what delete markers say.
    /// - Parameters:
    ///   - owner: whose delete markers will be.
    ///   - bypasses: whether the caller may, and wants to, pass over retentions in governance mode.
    package func deletionTerms(markersOf owner: String, bypassingGovernance bypasses: Bool = false) -> DeletionTerms {
        call.cloud.objects.deletionTerms(
            in: bucket, by: call.cloud.clock, markersOf: owner, bypassingGovernance: bypasses)
    }

    /// Judges what is replaced for good; nothing in buckets of S3 alone, where locks keep versions and nothing else retains.
    var replacementCheck: ReplacementCheck? {
        guard let retains = retentionCheck else { return nil }
        guard let rules = bucket.overwriteRules else { return retains }
        let names = caller.map { [$0.account, $0.userID].compactMap(\.self) } ?? [bucket.account]
        return { record throws(ObjectStoreError) in
            try retains(record)
            if rules.contains(where: { $0.forbids(overwriting: record.key, by: names) }) { throw .overwritingForbidden }
        }
    }

    var retentionCheck: ReplacementCheck? { call.cloud.objects.retentionCheck(of: bucket, by: call.cloud.clock) }
}

extension ObjectStore {
    /// What may stand in the way of deletions: the locks of objects, and the retention of the bucket as a whole.
    /// - Parameters:
    ///   - owner: whose delete markers will be.
    ///   - bypasses: whether retentions in governance mode count for nothing.
    func deletionTerms(
        in bucket: Bucket, by clock: SandboxClock, markersOf owner: String, bypassingGovernance bypasses: Bool = false
    ) -> DeletionTerms {
        let retains = retentionCheck(of: bucket, by: clock)
        guard bucket.configuration.hasObjectLock else { return DeletionTerms(modified: clock.now, owner: owner, check: retains) }
        return DeletionTerms(modified: clock.now, owner: owner) { record throws(ObjectStoreError) in
            if record.properties.lock.forbidsDeletion(by: clock, bypassingGovernance: bypasses) { throw .locked }
            try retains?(record)
        }
    }

    /// Judges what is taken away by the retention of the bucket as a whole when the change takes effect: somebody may have given the bucket
    /// one meanwhile. `nil` if OSS, whose retention it is, does not show the bucket.
    func retentionCheck(of bucket: Bucket, by clock: SandboxClock) -> ReplacementCheck? {
        guard bucket.isShown(by: .alibaba) else { return nil }
        return { record throws(ObjectStoreError) in
            guard let worm = self.bucket(named: bucket.name)?.worm(by: clock), worm.protects(objectOf: record.modified, by: clock) else {
                return
            }
            throw .locked
        }
    }
}

/// A rule of a bucket that lets nobody, or not everybody, overwrite objects. (OSS API Reference, "PutBucketOverwriteConfig".)
struct OverwriteRule: Sendable {
    var prefix: String
    var suffix: String
    /// Accounts and IDs of users whom the rule is for; empty or with an asterisk for everybody.
    var principals: [String]

    /// The rules of buckets, by the text that holds them.
    static let known = BoundedCache<String, [OverwriteRule]>(capacity: 1024)

    init(_ element: XMLElement) {
        prefix = element.child("Prefix")?.text ?? ""
        suffix = element.child("Suffix")?.text ?? ""
        principals = element.child("Principals")?.children(named: "Principal").map(\.text) ?? []
    }

    func forbids(overwriting key: String, by names: [String]) -> Bool {
        key.utf8.starts(with: prefix.utf8) && key.utf8.reversed().starts(with: suffix.utf8.reversed())
            && (principals.isEmpty || principals.contains { $0 == "*" || names.contains($0) })
    }
}

extension Bucket {
    /// Whether a vendor's door shows the bucket.
    package func isShown(by vendor: Vendor) -> Bool { isShared || Vendor(account: account) == vendor }

    /// The bucket's rules against overwriting; `nil` if it has none. Buckets that keep versions, or did, lose nothing to a write.
    var overwriteRules: [OverwriteRule]? {
        guard configuration.versioning == .never, let text = configuration.documents[.ossOverwrite] else { return nil }
        return OverwriteRule.known.value(for: text) {
            (try? XMLElement(parsing: Array(text.utf8)))?.children(named: "Rule").map(OverwriteRule.init) ?? []
        }
    }
}
