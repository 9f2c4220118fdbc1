import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The properties of a new object in the headers of a write.
struct ObjectDeclaration: Hashable, Sendable {
    /// The account that will own the object.
    var owner: String
    var attributes: ObjectAttributes
    var properties: ObjectProperties
}

extension S3Request {
    /// Parses the headers that PutObject, CopyObject, CreateMultipartUpload and forms share, and checks the permissions that they require
    /// in addition to writing.
    /// (S3 API Reference, PutObject, "Permissions".)
    func declaredObject(
        _ key: String, _ input: ObjectWriteInput, in bucket: Bucket
    ) throws(S3Error) -> ObjectDeclaration {
        var attributes = try input.attributes.get()
        if !input.namesStorageClass { attributes.storageClass = try defaultStorageClass(of: bucket) }
        let (owner, list) = try accessControl(ofNewObjectIn: bucket, key: key, input.accessControl)
        var properties = ObjectProperties(
            accessControl: list, lock: try ObjectLock(writing: input.lock, in: bucket, at: clock.now),
            encryption: try encryption(ofWrite: input.encryption, in: bucket))
        if let tags = input.tags {
            properties.tags = try tags.get()
            // Anonymous writers have permission by an ACL, and ACLs have no permission of their own for tags.
            if caller.account != nil { try authorize(.putObjectTagging, on: bucket, key: key) }
        }
        if input.lock.mode != nil { try authorize(.putObjectRetention, on: bucket, key: key) }
        if input.lock.legalHold != nil { try authorize(.putObjectLegalHold, on: bucket, key: key) }
        return ObjectDeclaration(owner: owner, attributes: attributes, properties: properties)
    }

    /// Returns the bucket's default storage class for new objects, by its name in the store.
    /// - Throws: `InvalidStorageClass` for a default of OSS that S3 lacks.
    private func defaultStorageClass(of bucket: Bucket) throws(S3Error) -> String? {
        guard let storageClass = BucketDefaults(of: bucket).storageClass else { return nil }
        guard storageClass != .deepColdArchive else {
            throw S3Error(
                .invalidStorageClass, "The bucket's default storage class is one of OSS, which S3 does not support.",
                ["StorageClassRequested": storageClass.rawValue])
        }
        return storageClass.stored
    }
}
