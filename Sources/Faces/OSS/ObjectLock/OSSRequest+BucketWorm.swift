import Calls
import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

extension OSSRequest {
    private static let longestRetention: Int64 = 70 * 365

    func getBucketWorm(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketWorm, on: bucket)
        guard let worm = bucket.worm(by: clock) else { throw OSSError(.noSuchWORMConfiguration, nil, ["BucketName": bucket.name]) }
        return answer(root: BucketWorm.root) { xml in worm.encode(created: clock.effective(worm.created), into: &xml) }
    }

    func initiateBucketWorm(_ bucket: Bucket) async throws -> Response {
        try authorize(.initiateBucketWorm, on: bucket)
        let days = try await retentionDays("InitiateWormConfiguration")
        if let worm = bucket.worm(by: clock) {
            throw worm.isLocked
                ? OSSError(.wormConfigurationLocked) : OSSError(.invalidWORMConfiguration, "A WORM configuration is in progress.")
        }
        guard bucket.configuration.versioning == .never else {
            throw OSSError(.invalidWORMConfiguration, "Versioning and WORM cannot be enabled at the same time.")
        }
        let worm = BucketWorm(id: call.id.longText + call.id.text.prefix(8), days: days, created: clock.now)
        try await replaceWorm(of: bucket, by: worm)
        return answer(.ok, [.ossWormID: worm.id])
    }

    func abortBucketWorm(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.abortBucketWorm, on: bucket)
        if bucket.worm(by: clock)?.isLocked == true { throw OSSError(.wormConfigurationLocked) }
        try await replaceWorm(of: bucket, by: nil)
        return answer(.noContent)
    }

    /// CompleteBucketWorm. Locks the policy, so that it can no longer be aborted.
    func completeBucketWorm(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.completeBucketWorm, on: bucket)
        var worm = try namedWorm(bucket)
        guard !worm.isLocked else { throw OSSError(.wormConfigurationLocked) }
        worm.isLocked = true
        try await replaceWorm(of: bucket, by: worm)
        return answer()
    }

    /// ExtendBucketWorm. Extends the retention period of a locked policy.
    func extendBucketWorm(_ bucket: Bucket) async throws -> Response {
        try authorize(.extendBucketWorm, on: bucket)
        let days = try await retentionDays("ExtendWormConfiguration")
        var worm = try namedWorm(bucket)
        guard worm.isLocked, days > worm.days else { throw OSSError(.invalidWORMConfiguration) }
        worm.days = days
        try await replaceWorm(of: bucket, by: worm)
        return answer()
    }

    /// Replaces the retention policy, unless it has changed or versioning has been enabled since it was checked. A concurrent request
    /// cannot remove a locked policy.
    private func replaceWorm(of bucket: Bucket, by worm: BucketWorm?) async throws(OSSError) {
        let clock = clock
        let judged = bucket.worm(by: clock)
        do {
            try await objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                let mayBe = worm == nil || judged != nil || configuration.versioning == .never
                guard configuration.worm(by: clock) == judged, mayBe else { throw .locked }
                configuration.documents[.ossWorm] = worm?.text
            }
        } catch ObjectStoreError.locked {
            throw OSSError(.invalidWORMConfiguration, "The WORM configuration was changed at the same time.")
        } catch {
            throw OSSError(error, bucket: bucket.name)
        }
    }

    private func namedWorm(_ bucket: Bucket) throws(OSSError) -> BucketWorm {
        guard let worm = bucket.worm(by: clock), worm.id == (try input(BucketWormInput.self).id) else {
            throw OSSError(.noSuchWORMConfiguration, nil, ["BucketName": bucket.name])
        }
        return worm
    }

    private func retentionDays(_ root: String) async throws -> Int64 {
        let element = try await xmlDocument(root, holding: [.init("RetentionPeriodInDays", .number)])
        guard let days = element.integer("RetentionPeriodInDays") else { throw OSSError(.malformedXML) }
        guard (1...Self.longestRetention).contains(days) else {
            throw OSSError.invalidArgument("RetentionPeriodInDays is invalid.", name: "RetentionPeriodInDays", value: String(days))
        }
        return days
    }
}
