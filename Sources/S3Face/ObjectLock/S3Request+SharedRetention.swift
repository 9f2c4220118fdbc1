import Cloud
import Exchange
import ObjectServing
import ObjectStore

extension S3Request {
    private static let replacing: Set<S3Action> = [.putObject, .deleteObject, .deleteObjectVersion]

    /// Refuses to take away or replace what a key of a shared bucket leads to while OSS retains the bucket as a whole: what one door has
    /// promised to keep, the other keeps as well. (OSS User Guide, "Retention policies".)
    func refuseRetained(_ key: String, in bucket: Bucket, _ action: S3Action) throws(S3Error) {
        guard bucket.isShared, Self.replacing.contains(action), let worm = bucket.worm(by: clock) else { return }
        let record: ObjectRecord?
        do { record = try objects.head(key, in: bucket.id).object } catch { throw S3Error(error, bucket: bucket.name, key: key) }
        if let record, worm.protects(objectOf: record.modified, by: clock) { throw .objectLocked }
    }

    /// The same, judged once more when a write or deletion takes effect; nothing for a bucket that OSS does not show.
    func sharedRetention(of bucket: Bucket) -> ReplacementCheck? {
        bucket.isShared ? objects.retentionCheck(of: bucket, by: clock) : nil
    }
}
