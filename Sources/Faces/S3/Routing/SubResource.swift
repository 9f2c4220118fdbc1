import Cloud
import HTTPTypes
import WireFormats

/// A query parameter that selects another operation on a bucket or an object, with the answers by method.
///
/// The table has a row for each sub-resource in the S3 API model, so that none is ignored that S3 does not ignore.
/// (S3 API Reference, "Actions". The resource types, the answers at the path of a key and the methods are those that brekkylab/backlot
/// measured in S3; see its issues 230, 267 and 335.)
struct SubResource: Sendable {
    /// The name of the query parameter.
    var name: String
    /// What the path of a bucket has under the name; `nil` if S3 ignores the name there.
    var bucket: Resource?
    /// What the path of a key has under the name; `nil` if S3 ignores the name there.
    var object: Resource?

    /// A sub-resource at the path of a bucket or a key.
    struct Resource: Sendable {
        /// The resource type in error documents.
        var type: String
        var answers: [HTTPRequest.Method: Answer]
        /// Whether only directory buckets have the sub-resource. Other buckets ignore it, except that its operation is refused by name.
        var isOfDirectoryBuckets = false

        /// Returns the answer to a method.
        /// - Throws: `MethodNotAllowed`.
        func answer(to method: HTTPRequest.Method) throws(S3Error) -> Answer {
            guard let answer = answers[method] else { throw .methodNotAllowed(method, on: type, allowed: Array(answers.keys)) }
            return answer
        }
    }

    /// What a method does. A literal names an operation on the resource of the path.
    enum Answer: Hashable, Sendable, ExpressibleByStringInterpolation {
        case operation(String)
        /// An operation on the bucket, whatever the key.
        case onBucket(String)
        /// The refusal of an operation, once the bucket is found.
        case refused(String, Refusal)

        init(stringLiteral name: String) { self = .operation(name) }

        /// The name of the operation.
        var name: String {
            switch self {
            case .operation(let name), .onBucket(let name), .refused(let name, _): name
            }
        }
    }

    /// Why S3 refuses a sub-resource at the path of a key, or without a key.
    enum Refusal: Hashable, Sendable {
        case loggingOfKey, uploadsOfKey, versionsOfKey, partWithoutKey, restorationWithoutKey, uploadWithoutKey

        /// (brekkylab/backlot, measured 2026-09-29; versity/versitygw#1688 on the versions.)
        var error: S3Error {
            switch self {
            case .loggingOfKey: S3Error(.noLoggingStatusForKey)
            case .uploadsOfKey: S3Error(.invalidRequest, "Key is not expected for the GET method ?uploads subresource")
            case .versionsOfKey: S3Error(.invalidRequest, "There is no such thing as the ?versions sub-resource for a key")
            case .partWithoutKey: .noKey
            case .restorationWithoutKey: S3Error(.userKeyMustBeSpecified, "User key must be specified.")
            case .uploadWithoutKey: S3Error(.invalidRequest, "A key must be specified")
            }
        }
    }

    /// - Parameters:
    ///   - type: the resource type; `nil` for the name in capitals.
    ///   - bucket: the answers at the path of a bucket; empty if S3 ignores the name there.
    ///   - objectType: the resource type at the path of a key; `nil` for the same.
    ///   - object: the answers at the path of a key; empty if S3 ignores the name there.
    ///   - servesKeys: whether the path of a key has the sub-resource of its bucket.
    private init(
        _ name: String, type: String? = nil, bucket: [HTTPRequest.Method: Answer] = [:], objectType: String? = nil,
        object: [HTTPRequest.Method: Answer] = [:], servesKeys: Bool = false
    ) {
        self.name = name
        let type = type ?? name.uppercased()
        if !bucket.isEmpty { self.bucket = Resource(type: type, answers: bucket) }
        if !object.isEmpty { self.object = Resource(type: objectType ?? type, answers: object) }
        if servesKeys { self.object = Resource(type: type, answers: bucket.mapValues { .onBucket($0.name) }) }
    }

    /// Creates a row of directory buckets.
    private init(ofDirectoryBuckets name: String, bucket: [HTTPRequest.Method: Answer] = [:], object: [HTTPRequest.Method: Answer] = [:]) {
        self.init(name, bucket: bucket, object: object)
        self.bucket?.isOfDirectoryBuckets = true
        self.object?.isOfDirectoryBuckets = true
    }

    /// Creates a row with the usual operations: `Get`, `Put` and `Delete` before `operand`.
    private init(_ name: String, type: String? = nil, bucketGetPutDelete operand: String, servesKeys: Bool = false) {
        self.init(
            name, type: type, bucket: [.get: "Get\(operand)", .put: "Put\(operand)", .delete: "Delete\(operand)"],
            servesKeys: servesKeys)
    }

    /// Returns what the path of a request has under the name.
    func resource(isOfKey: Bool) -> Resource? { isOfKey ? object : bucket }
}

extension SubResource {
    /// All rows. Those of configurations are made from their tables.
    static let all: [SubResource] =
        S3DocumentKind.allCases.map { kind in
            let row = kind.descriptor
            var methods: [HTTPRequest.Method: Answer] = [.get: "Get\(row.name)", .put: "Put\(row.name)"]
            if row.actions.delete != nil { methods[.delete] = "Delete\(row.name)" }
            return SubResource(kind.rawValue, type: row.type, bucket: methods, servesKeys: row.servesKeys)
        }
        + ConfigurationKind.allCases.map { kind in
            SubResource(
                kind.rawValue, type: kind.rawValue.uppercased().replacing("-", with: "_"),
                bucketGetPutDelete: "Bucket\(kind.descriptor.root)", servesKeys: kind == .inventory)
        } + rows

    /// All sub-resources by name.
    static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// The upload that a request with a part number names.
    static let part = SubResource(
        "uploadId", type: "PART", bucket: [.put: .refused("UploadPart", .partWithoutKey)], object: [.put: "UploadPart"])

    private static let rows: [SubResource] = [
        SubResource(
            "accelerate", bucket: [.get: "GetBucketAccelerateConfiguration", .put: "PutBucketAccelerateConfiguration"], servesKeys: true),
        SubResource(
            "acl", bucket: [.get: "GetBucketAcl", .put: "PutBucketAcl"], object: [.get: "GetObjectAcl", .put: "PutObjectAcl"]),
        SubResource(
            "annotation", type: "OBJECT_ANNOTATIONS",
            object: [.get: "GetObjectAnnotation", .put: "PutObjectAnnotation", .delete: "DeleteObjectAnnotation"]),
        SubResource("attributes", type: "OBJECT_ATTRIBUTES", object: [.get: "GetObjectAttributes"]),
        SubResource("delete", type: "MULTI_OBJECT_DELETE", bucket: [.post: "DeleteObjects"], servesKeys: true),
        SubResource(
            "encryption",
            bucket: [.get: "GetBucketEncryption", .put: "PutBucketEncryption", .delete: "DeleteBucketEncryption"],
            objectType: "OBJECT_ENCRYPTION", object: [.put: "UpdateObjectEncryption"]),
        SubResource(
            "legal-hold", type: "OBJECT_LOCK_LEGALHOLD", object: [.get: "GetObjectLegalHold", .put: "PutObjectLegalHold"]),
        SubResource(
            "lifecycle",
            bucket: [
                .get: "GetBucketLifecycleConfiguration", .put: "PutBucketLifecycleConfiguration",
                .delete: "DeleteBucketLifecycle",
            ], servesKeys: true),
        SubResource("location", bucket: [.get: "GetBucketLocation"], servesKeys: true),
        SubResource(
            "logging", type: "LOGGING_STATUS", bucket: [.get: "GetBucketLogging", .put: "PutBucketLogging"],
            object: [.get: .refused("GetBucketLogging", .loggingOfKey), .put: .refused("PutBucketLogging", .loggingOfKey)]),
        SubResource(
            "metadataAnnotationTable", type: "BUCKET_METADATA_ANNOTATION_TABLE_CONFIGURATION",
            bucket: [.put: "UpdateBucketMetadataAnnotationTableConfiguration"]),
        SubResource(
            "metadataConfiguration", type: "BUCKET_METADATA_CONFIGURATION",
            bucket: [
                .get: "GetBucketMetadataConfiguration", .post: "CreateBucketMetadataConfiguration",
                .delete: "DeleteBucketMetadataConfiguration",
            ]),
        SubResource(
            "metadataInventoryTable", type: "BUCKET_METADATA_INVENTORY_TABLE_CONFIGURATION",
            bucket: [.put: "UpdateBucketMetadataInventoryTableConfiguration"]),
        SubResource(
            "metadataJournalTable", type: "BUCKET_METADATA_JOURNAL_TABLE_CONFIGURATION",
            bucket: [.put: "UpdateBucketMetadataJournalTableConfiguration"]),
        SubResource(
            "metadataTable", type: "BUCKET_METADATA_TABLE_CONFIGURATION",
            bucket: [
                .get: "GetBucketMetadataTableConfiguration", .post: "CreateBucketMetadataTableConfiguration",
                .delete: "DeleteBucketMetadataTableConfiguration",
            ]),
        SubResource(
            "notification",
            bucket: [.get: "GetBucketNotificationConfiguration", .put: "PutBucketNotificationConfiguration"], servesKeys: true),
        SubResource(
            "object-lock", type: "OBJECT_LOCK_CONFIGURATION",
            bucket: [.get: "GetObjectLockConfiguration", .put: "PutObjectLockConfiguration"]),
        SubResource("ownershipControls", type: "OWNERSHIP_CONTROLS", bucketGetPutDelete: "BucketOwnershipControls"),
        SubResource("policy", type: "BUCKETPOLICY", bucketGetPutDelete: "BucketPolicy", servesKeys: true),
        SubResource("policyStatus", type: "POLICY_STATUS", bucket: [.get: "GetBucketPolicyStatus"]),
        SubResource("publicAccessBlock", type: "PUBLIC_ACCESS_BLOCK", bucketGetPutDelete: "PublicAccessBlock"),
        SubResource(ofDirectoryBuckets: "renameObject", object: [.put: "RenameObject"]),
        SubResource(
            "requestPayment", type: "REQUEST_PAYMENT", bucket: [.get: "GetBucketRequestPayment", .put: "PutBucketRequestPayment"],
            servesKeys: true),
        SubResource("restore", bucket: [.post: .refused("RestoreObject", .restorationWithoutKey)], object: [.post: "RestoreObject"]),
        SubResource(
            "retention", type: "OBJECT_LOCK_RETENTION", object: [.get: "GetObjectRetention", .put: "PutObjectRetention"]),
        SubResource("select", object: [.post: "SelectObjectContent"]),
        SubResource(ofDirectoryBuckets: "session", bucket: [.get: "CreateSession"]),
        SubResource(
            "tagging",
            bucket: [.get: "GetBucketTagging", .put: "PutBucketTagging", .delete: "DeleteBucketTagging"],
            objectType: "OBJECT_TAGGING",
            object: [.get: "GetObjectTagging", .put: "PutObjectTagging", .delete: "DeleteObjectTagging"]),
        SubResource("torrent", object: [.get: "GetObjectTorrent"]),
        SubResource(
            "uploadId", type: "UPLOAD",
            bucket: [
                .get: .refused("ListParts", .uploadWithoutKey), .post: .refused("CompleteMultipartUpload", .uploadWithoutKey),
                .delete: .refused("AbortMultipartUpload", .uploadWithoutKey),
            ],
            object: [.get: "ListParts", .post: "CompleteMultipartUpload", .delete: "AbortMultipartUpload"]),
        SubResource(
            "uploads", bucket: [.get: "ListMultipartUploads", .post: .refused("CreateMultipartUpload", .uploadWithoutKey)],
            object: [.get: .refused("ListMultipartUploads", .uploadsOfKey), .post: "CreateMultipartUpload"]),
        SubResource("versioning", bucket: [.get: "GetBucketVersioning", .put: "PutBucketVersioning"], servesKeys: true),
        SubResource(
            "versions", type: "BUCKETVERSIONS", bucket: [.get: "ListObjectVersions"],
            object: [.get: .refused("ListObjectVersions", .versionsOfKey)]),
    ]
}
