import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// What a write says of the object that it makes, beside its body.
struct ObjectDeclaration: Hashable, Sendable {
    /// The account that will own it.
    var owner: String
    var attributes: ObjectAttributes
    var properties: ObjectProperties
}

extension S3Request {
    /// Reads what PutObject, CopyObject, CreateMultipartUpload and forms say alike of the object to be made, and asks for
    /// the permissions that it takes beyond writing.
    /// (S3 API Reference, PutObject, "Permissions".)
    /// - Parameter fields: the headers of the write, or what a form has in their place.
    func declaredObject(
        _ key: String, _ fields: HTTPFields, in bucket: Bucket
    ) throws(S3Error) -> ObjectDeclaration {
        var attributes = try ObjectAttributes(writing: fields)
        if !fields.contains(.storageClass) { attributes.storageClass = try defaultStorageClass(of: bucket) }
        let (owner, list) = try accessControl(ofNewObjectIn: bucket, key: key, fields: fields)
        var properties = ObjectProperties(
            accessControl: list, lock: try ObjectLock(writing: fields, in: bucket, at: clock.now),
            encryption: try encryption(ofWrite: fields, in: bucket))
        if let text = fields.value(of: .tagging) {
            properties.tags = try [Tag](header: text, dialect)
            // Who writes without a name has what a list of access control gives, and no list tells tags from the rest.
            if caller.account != nil { try authorize(.putObjectTagging, on: bucket, key: key) }
        }
        if fields.contains(.objectLockMode) { try authorize(.putObjectRetention, on: bucket, key: key) }
        if fields.contains(.objectLockLegalHold) { try authorize(.putObjectLegalHold, on: bucket, key: key) }
        return ObjectDeclaration(owner: owner, attributes: attributes, properties: properties)
    }

    /// The storage class that the bucket gives to new objects, in the store's words.
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
