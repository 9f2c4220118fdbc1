import Cloud
import Exchange
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The actions that policies name. (Service Authorization Reference, "Actions, resources, and condition keys for Amazon S3".)
enum S3Action: String {
    case abortMultipartUpload = "s3:AbortMultipartUpload"
    case createBucket = "s3:CreateBucket"
    case deleteBucket = "s3:DeleteBucket"
    case deleteBucketPolicy = "s3:DeleteBucketPolicy"
    case deleteObject = "s3:DeleteObject"
    case deleteObjectVersion = "s3:DeleteObjectVersion"
    case getBucketLocation = "s3:GetBucketLocation"
    case getBucketPolicy = "s3:GetBucketPolicy"
    case getObject = "s3:GetObject"
    case getObjectVersion = "s3:GetObjectVersion"
    case listAllMyBuckets = "s3:ListAllMyBuckets"
    case listBucket = "s3:ListBucket"
    case listBucketMultipartUploads = "s3:ListBucketMultipartUploads"
    case listMultipartUploadParts = "s3:ListMultipartUploadParts"
    case putBucketPolicy = "s3:PutBucketPolicy"
    case putObject = "s3:PutObject"
}

extension S3Request {
    /// Refuses an action on a bucket that the caller may not perform.
    func authorize(_ action: S3Action, on bucket: Bucket, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(
            action, resource: "arn:aws:s3:::\(bucket.name)", ownedBy: bucket.account,
            policy: try policies.policy(of: bucket), keys: keys)
    }

    /// Refuses an action on an object, there or not, that the caller may not perform.
    func authorize(_ action: S3Action, on bucket: Bucket, key: String, keys: [OperationKey] = []) throws(S3Error) {
        try authorize(
            action, resource: "arn:aws:s3:::\(bucket.name)/\(key)", ownedBy: bucket.account,
            policy: try policies.policy(of: bucket), keys: keys)
    }

    /// Refuses an action that the caller may not perform.
    /// - Parameters:
    ///   - resource: an ARN, or `*`.
    ///   - account: the owner of the resource.
    /// - Throws: `AccessDenied` that says which policy decides; nothing of it to an anonymous caller.
    func authorize(
        _ action: S3Action, resource: String, ownedBy account: String, policy: AttachedPolicy? = nil,
        keys: [OperationKey] = []
    ) throws(S3Error) {
        let keys = keys.isEmpty ? signatureKeys : signatureKeys + keys
        let verdict = exchange.authorize(
            caller, action.rawValue, on: resource, ownedBy: account, resourcePolicy: policy, keys: keys, region: region)
        guard let reason = verdict.decision.reason(action: action.rawValue) else { return }
        guard let arn = caller.arn else { throw S3Error(.accessDenied) }
        throw S3Error(
            .accessDenied, "User: \(arn) is not authorized to perform: \(action.rawValue) on resource: \"\(resource)\" \(reason)")
    }

    /// What to tell a caller who asks for an object that is not there: only who may list the bucket learns that it is missing.
    /// (S3 API Reference, GetObject, "Permissions".)
    func missing(_ key: String, in bucket: Bucket) -> S3Error {
        do {
            try authorize(.listBucket, on: bucket)
            return .noSuchKey(key)
        } catch {
            return error
        }
    }

    /// The condition keys of a write that its headers set.
    var writeKeys: [OperationKey] {
        var keys: [OperationKey] = []
        for field in headers {
            switch field.name.canonicalName {
            case "x-amz-acl", "x-amz-copy-source", "x-amz-metadata-directive", "x-amz-server-side-encryption",
                "x-amz-storage-class", "x-amz-content-sha256", "if-match", "if-none-match":
                keys.append(("s3:\(field.name.canonicalName)", field.value))
            default: break
            }
        }
        return keys
    }

    /// The condition keys that every request to S3 has, by how it is signed.
    private var signatureKeys: [OperationKey] {
        guard let authenticated else { return [] }
        // Nearly every request is signed so; its keys are made once.
        if case .header = authenticated.place, case .v4 = authenticated.version { return Self.headerKeys }
        var keys = Self.keys(authenticated.place, authenticated.version)
        if authenticated.place != .header, let signed = authenticated.signed {
            keys.append(("s3:signatureage", String(clock.now.milliseconds - clock.effective(signed).milliseconds)))
        }
        return keys
    }

    private static let headerKeys = keys(.header, .v4)

    private static func keys(_ place: SignaturePlace, _ version: SignatureVersion) -> [OperationKey] {
        [("s3:authtype", place.rawValue), ("s3:signatureversion", version.rawValue)]
    }
}
