import Calls
import Cloud
import Federation
package import ObjectStore
package import Policy
import WireFormats

extension ObjectChanges {
    /// Rejects replacing or deleting an object that the bucket's retention policy protects, before a body is received. The change itself
    /// checks it again.
    /// - Throws: `locked`; `storage`.
    package func refuseRetained(_ key: String) throws(ObjectStoreError) {
        let clock = call.cloud.clock
        guard let worm = bucket.worm(by: clock), let record = try call.cloud.objects.head(key, in: bucket.id).object,
            worm.protects(objectOf: record.modified, by: clock)
        else { return }
        throw .locked
    }

    /// Rejects appending to an object that is protected by its lock or by the bucket's retention policy, before a body is received.
    /// - Throws: `locked`; `storage`.
    package func refuseLocked(_ key: String) throws(ObjectStoreError) {
        try refuseRetained(key)
        guard bucket.configuration.hasObjectLock, let record = try call.cloud.objects.head(key, in: bucket.id).object,
            record.properties.lock.forbidsDeletion(by: call.cloud.clock, bypassingGovernance: false)
        else { return }
        throw .locked
    }

    /// Returns the conditions under which objects can be deleted, and the properties of new delete markers.
    /// - Parameters:
    ///   - owner: the owner of new delete markers.
    ///   - bypasses: whether the caller asks, and has permission, to bypass retentions in governance mode.
    package func deletionTerms(markersOf owner: String, bypassingGovernance bypasses: Bool = false) -> DeletionTerms {
        call.cloud.objects.deletionTerms(
            in: bucket, by: call.cloud.clock, markersOf: owner, bypassingGovernance: bypasses)
    }

    /// Checks whether an object may be overwritten; `nil` for buckets that only S3 shows. There, locks protect versions, and no other rules
    /// exist.
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
    /// Returns the conditions under which objects can be deleted: the locks of objects, and the retention policy of the bucket.
    /// - Parameters:
    ///   - owner: the owner of new delete markers.
    ///   - bypasses: whether retentions in governance mode are ignored.
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

    /// Checks the retention policy of the bucket in the transaction of the change, because it may have been added in the meantime. `nil` if
    /// the bucket is not visible in OSS, which alone has such policies.
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

/// A rule of a bucket against overwriting objects. (OSS API Reference, "PutBucketOverwriteConfig".)
struct OverwriteRule: Sendable {
    var prefix: String
    var suffix: String
    /// The accounts and user IDs that the rule applies to; everyone if it is empty or contains an asterisk.
    var principals: [String]

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
    /// Whether the bucket is visible in the service of a vendor.
    package func isShown(by vendor: Vendor) -> Bool { isShared || Vendor(account: account) == vendor }

    /// The bucket's rules against overwriting; `nil` if there are none. They do not apply if versioning was ever enabled, because then
    /// writes overwrite nothing.
    var overwriteRules: [OverwriteRule]? {
        guard configuration.versioning == .never else { return nil }
        return parsed(.ossOverwrite) { text in
            (try? XMLElement(parsing: Array(text.utf8)))?.children(named: "Rule").map(OverwriteRule.init) ?? []
        }
    }
}
