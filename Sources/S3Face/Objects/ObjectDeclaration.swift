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
    /// - Parameter fields: the headers of the write, or the form's equivalent of them.
    func declaredObject(
        _ key: String, _ fields: HTTPFields, in bucket: Bucket
    ) throws(S3Error) -> ObjectDeclaration {
        let attributes = try ObjectAttributes(writing: fields)
        let (owner, list) = try accessControl(ofNewObjectIn: bucket, key: key, fields: fields)
        var properties = ObjectProperties(
            accessControl: list, lock: try ObjectLock(writing: fields, in: bucket, at: clock.now),
            encryption: try encryption(ofWrite: fields, in: bucket))
        if let text = fields.value(of: .tagging) {
            properties.tags = try [Tag](header: text, dialect)
            // An anonymous caller is authorized by an ACL, and ACLs have no separate permission for tags.
            if caller.account != nil { try authorize(.putObjectTagging, on: bucket, key: key) }
        }
        if fields.contains(.objectLockMode) { try authorize(.putObjectRetention, on: bucket, key: key) }
        if fields.contains(.objectLockLegalHold) { try authorize(.putObjectLegalHold, on: bucket, key: key) }
        return ObjectDeclaration(owner: owner, attributes: attributes, properties: properties)
    }
}
