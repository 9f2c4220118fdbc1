import Calls
import Cloud
import Federation
import HTTPTypes
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
        let attributes = try input.attributes.get()
        let (owner, list) = try accessControl(ofNewObjectIn: bucket, key: key, input.accessControl)
        var properties = ObjectProperties(
            accessControl: list, lock: try ObjectLock(writing: input.lock, in: bucket, at: clock.now),
            encryption: try encryption(ofWrite: input.encryption, in: bucket))
        if let tags = input.tags {
            properties.tags = try tags.get()
            // Who writes without a name has what a list of access control gives, and no list tells tags from the rest.
            if caller.account != nil { try authorize(.putObjectTagging, on: bucket, key: key) }
        }
        if input.lock.mode != nil { try authorize(.putObjectRetention, on: bucket, key: key) }
        if input.lock.legalHold != nil { try authorize(.putObjectLegalHold, on: bucket, key: key) }
        return ObjectDeclaration(owner: owner, attributes: attributes, properties: properties)
    }
}
