import Calls
import Cloud
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What a bucket gives a new object whose writer says nothing of it.
struct ObjectDefaults {
    /// As ``ObjectAttributes`` has it.
    var storageClass: String?
    var properties: ObjectProperties
    /// Whether the entity tag of an object under a KMS key must not reveal a digest of the content.
    var hidesDigests: Bool
}

/// The effects of a collection's bucket on each write. They are the same for S3 and OSS requests. The mobile cloud writes as the bucket's
/// owner and sets no storage class, encryption or retention itself.
extension Storage {
    /// What the bucket gives a new object, by the rules of the cloud that it belongs to.
    /// - Throws: an error of a configuration that cannot be read after all.
    func defaults(ofObjectIn bucket: Bucket) throws -> ObjectDefaults {
        let now = call.cloud.clock.now
        switch Vendor(account: bucket.account) {
        case .aws:
            let properties = ObjectProperties(
                lock: ObjectLock(retention: bucket.defaultRetention?.retention(from: now)),
                encryption: try bucket.defaultEncryption()?.encryption(in: bucket, region: bucket.regionName))
            return ObjectDefaults(properties: properties, hidesDigests: true)
        case .alibaba:
            func configuration(_ kind: BucketDocument) throws -> XMLElement? {
                try bucket.configuration.documents[kind].map { try XMLElement(parsing: Array($0.utf8)) }
            }
            var properties = ObjectProperties(
                encryption: ObjectEncryption(ossDefault: try configuration(.ossEncryption), in: bucket))
            if bucket.configuration.hasObjectLock {
                properties.lock.retention = ObjectLock.Retention(ossDefault: try configuration(.ossObjectWorm), from: now)
            }
            return ObjectDefaults(storageClass: OSSStorageClass(of: bucket).stored, properties: properties, hidesDigests: false)
        }
    }

    /// Returns the changes that are applied to the bucket's objects.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: nil, call.http, events: call.events) }
}
