import Cloud
import ObjectServing
import ObjectStore

extension S3Request {
    private static let replacing: Set<S3Action> = [.putObject, .deleteObject, .deleteObjectVersion]

    /// Refuses early to take away or replace what a key of a shared bucket leads to while OSS retains the bucket as a whole: what one door
    /// has promised to keep, the other keeps as well. (OSS User Guide, "Retention policies".)
    func refuseRetained(_ key: String, in bucket: Bucket, _ action: S3Action) throws(S3Error) {
        guard bucket.isShared, Self.replacing.contains(action) else { return }
        do { try changes(in: bucket).refuseRetained(key) } catch { throw S3Error(error, bucket: bucket.name, key: key) }
    }
}
