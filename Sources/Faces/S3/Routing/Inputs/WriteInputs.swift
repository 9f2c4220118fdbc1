import Calls
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The parameters of the new object that PutObject, CopyObject, CreateMultipartUpload and forms have in common.
/// (S3 API Reference, "PutObject", "Request headers".)
///
/// The operation checks them one after another, and permissions between them.
struct ObjectWriteInput: S3Input {
    var attributes: Parsed<ObjectAttributes>
    /// Whether the request names a storage class, so that the bucket's default does not apply.
    var namesStorageClass: Bool
    var accessControl: AccessControlFields
    var lock: ObjectLockFields
    var encryption: EncryptionFields
    /// `nil` if the request has none.
    var tags: Parsed<[Tag]>?
    var condition: Parsed<Precondition>

    init(_ fields: S3Fields) {
        let (headers, dialect) = (fields.headers, fields.dialect)
        attributes = Parsed { () throws(S3Error) in try ObjectAttributes(writing: headers, dialect) }
        namesStorageClass = headers.has(.storageClass)
        accessControl = AccessControlFields(headers)
        lock = ObjectLockFields(headers, named: .s3)
        encryption = EncryptionFields(headers)
        tags = headers.value(of: .tagging).map { text in Parsed { () throws(S3Error) in try [Tag](header: text, dialect) } }
        condition = Parsed { () throws(S3Error) in try Precondition(write: headers, dialect) }
    }
}

extension ObjectLockFields.Names {
    /// The headers of S3.
    static let s3 = ObjectLockFields.Names(
        mode: .objectLockMode, until: .objectLockRetainUntilDate, legalHold: .objectLockLegalHold
    ) { $0.iso8601Milliseconds }
}

/// The encryption headers of a write.
struct EncryptionFields: Sendable {
    /// `x-amz-server-side-encryption`; `nil` if the request has none, like the others.
    var scheme: String?
    var keyID: String?
    var context: String?
    var usesBucketKey: String?
    /// `nil` if the request has no header of a customer key.
    var customerKey: Parsed<CustomerKey?>?

    init(_ headers: HTTPFields) {
        scheme = headers.value(of: .serverSideEncryption)
        keyID = headers.value(of: .encryptionKeyID)
        context = headers.value(of: .encryptionContext)
        usesBucketKey = headers.value(of: .encryptionBucketKeyEnabled)
        if !CustomerKey.Headers.object.areAbsent(from: headers) {
            customerKey = Parsed { () throws(S3Error) in try CustomerKey(headers, .object) }
        }
    }
}

/// What CreateMultipartUpload reads. (S3 API Reference, "CreateMultipartUpload".)
struct CreateMultipartUploadInput: S3Input {
    var object: ObjectWriteInput
    /// `nil` if the request names no algorithm.
    var checksum: Parsed<UploadChecksum?>

    init(_ fields: S3Fields) {
        object = ObjectWriteInput(fields)
        checksum = Parsed { () throws(S3Error) in try UploadChecksum(fields.headers) }
    }
}

/// What CopyObject reads. (S3 API Reference, "CopyObject".)
struct CopyObjectInput: S3Input {
    var directives: CopyDirectives
    var condition: Precondition
    /// The checksum algorithm of the copy; `nil` for that of the source.
    var checksumAlgorithm: Checksum.Algorithm?
    var source: CopySourceAddress
    var object: ObjectWriteInput
    /// Whether the headers change the object, so that it can be copied onto itself.
    var changesObject: Bool

    /// - Throws: `InvalidArgument`, `NotImplemented`, `InvalidRequest`.
    init(_ fields: S3Fields) throws(S3Error) {
        let headers = fields.headers
        // (OpenStack Swift's tests against S3, "test_object_copy_with_range_error".)
        if fields.dialect == .aws, let range = headers[.range] {
            throw .invalidArgument("RANGE is not supported in Copy!", name: "Range", value: range)
        }
        directives = try CopyDirectives(headers)
        condition = try Precondition(write: headers, fields.dialect)
        checksumAlgorithm = try headers[.checksumAlgorithm].map { name throws(S3Error) in try Checksum.Algorithm(named: name) }
        source = try CopySourceAddress(header: headers[.copySource] ?? "")
        object = ObjectWriteInput(fields)
        changesObject =
            directives.replacesMetadata || headers.has(.storageClass) || headers.contains(.serverSideEncryption)
            || headers.contains(.websiteRedirectLocation)
    }
}

/// What DeleteObject reads, besides the version. (S3 API Reference, "DeleteObject".)
struct DeleteObjectInput: S3Input {
    var condition: Precondition

    /// - Throws: `NotImplemented` for a condition on a version, even the current one. (S3 measured in localstack/localstack#13894.)
    init(_ fields: S3Fields) throws(S3Error) {
        condition = fields.headers[.ifMatch].map(Precondition.init(ifMatch:)) ?? .none
        guard condition == .none || fields.query["versionId"] == nil || fields.dialect == .ceph else {
            throw .notImplemented(header: "If-Match")
        }
    }
}

/// Whether a request bypasses retentions in governance mode.
struct GovernanceInput: S3Input {
    /// `nil` if the request does not have the header.
    var bypasses: Bool?

    init(_ fields: S3Fields) { bypasses = fields.headers[.bypassGovernanceRetention].map { $0.lowercased() == "true" } }
}
