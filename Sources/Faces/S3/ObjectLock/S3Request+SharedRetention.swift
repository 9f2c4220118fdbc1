import Cloud
import ObjectServing
import ObjectStore
import WireFormats

extension S3Request {
    private static let replacing: Set<S3Action> = [.putObject, .deleteObject, .deleteObjectVersion]

    /// Rejects deleting or replacing an object of a shared bucket while its OSS retention policy protects it. The store checks this again.
    /// (OSS User Guide, "Retention policies".)
    func refuseRetained(_ key: String, in bucket: Bucket, _ action: S3Action) throws(S3Error) {
        guard bucket.isShared, Self.replacing.contains(action) else { return }
        do { try changes(in: bucket).refuseRetained(key) } catch { throw S3Error(error, bucket: bucket.name, key: key) }
    }
}
