import HTTPTypes
import WireFormats

/// A query parameter that selects another operation on a bucket or an object, with the operations by method.
///
/// The table has a row for each sub-resource in the S3 API model, so that none is ignored.
/// (S3 API Reference, "Actions".)
struct SubResource {
    /// The name of the query parameter.
    var name: String
    /// Operations on a bucket by method; empty if only objects have the sub-resource.
    var bucket: [HTTPRequest.Method: String]
    /// Operations on an object by method.
    var object: [HTTPRequest.Method: String]

    private init(
        _ name: String, bucket: [HTTPRequest.Method: String] = [:], object: [HTTPRequest.Method: String] = [:]
    ) {
        self.name = name
        self.bucket = bucket
        self.object = object
    }

    /// Creates a row with the usual operations: `Get`, `Put` and `Delete` before `operand`.
    private init(_ name: String, bucketGetPutDelete operand: String) {
        self.init(name, bucket: [.get: "Get\(operand)", .put: "Put\(operand)", .delete: "Delete\(operand)"])
    }

    /// The resource type in error documents: the name in capitals.
    var resourceType: String { name.uppercased() }

    /// All rows. Those of configurations are made from their tables, which replace a row here.
    static let all: [SubResource] = {
        let described =
            S3DocumentKind.allCases.map { kind in
                let row = kind.descriptor
                var methods: [HTTPRequest.Method: String] = [.get: "Get\(row.name)", .put: "Put\(row.name)"]
                if row.actions.delete != nil { methods[.delete] = "Delete\(row.name)" }
                return SubResource(kind.rawValue, bucket: methods)
            } + ConfigurationKind.allCases.map { SubResource($0.rawValue, bucketGetPutDelete: "Bucket\($0.descriptor.root)") }
        let names = Set(described.map(\.name))
        return described + rows.filter { !names.contains($0.name) }
    }()

    private static let rows: [SubResource] = [
        SubResource("abac", bucket: [.get: "GetBucketAbac", .put: "PutBucketAbac"]),
        SubResource(
            "accelerate",
            bucket: [.get: "GetBucketAccelerateConfiguration", .put: "PutBucketAccelerateConfiguration"]),
        SubResource(
            "acl", bucket: [.get: "GetBucketAcl", .put: "PutBucketAcl"],
            object: [.get: "GetObjectAcl", .put: "PutObjectAcl"]),
        SubResource(
            "annotation",
            object: [.get: "GetObjectAnnotation", .put: "PutObjectAnnotation", .delete: "DeleteObjectAnnotation"]),
        SubResource("attributes", object: [.get: "GetObjectAttributes"]),
        SubResource("delete", bucket: [.post: "DeleteObjects"]),
        SubResource(
            "encryption",
            bucket: [.get: "GetBucketEncryption", .put: "PutBucketEncryption", .delete: "DeleteBucketEncryption"],
            object: [.put: "UpdateObjectEncryption"]),
        SubResource("legal-hold", object: [.get: "GetObjectLegalHold", .put: "PutObjectLegalHold"]),
        SubResource(
            "lifecycle",
            bucket: [
                .get: "GetBucketLifecycleConfiguration", .put: "PutBucketLifecycleConfiguration",
                .delete: "DeleteBucketLifecycle",
            ]),
        SubResource("location", bucket: [.get: "GetBucketLocation"]),
        SubResource("logging", bucket: [.get: "GetBucketLogging", .put: "PutBucketLogging"]),
        SubResource("metadataAnnotationTable", bucket: [.put: "UpdateBucketMetadataAnnotationTableConfiguration"]),
        SubResource(
            "metadataConfiguration",
            bucket: [
                .get: "GetBucketMetadataConfiguration", .post: "CreateBucketMetadataConfiguration",
                .delete: "DeleteBucketMetadataConfiguration",
            ]),
        SubResource("metadataInventoryTable", bucket: [.put: "UpdateBucketMetadataInventoryTableConfiguration"]),
        SubResource("metadataJournalTable", bucket: [.put: "UpdateBucketMetadataJournalTableConfiguration"]),
        SubResource(
            "metadataTable",
            bucket: [
                .get: "GetBucketMetadataTableConfiguration", .post: "CreateBucketMetadataTableConfiguration",
                .delete: "DeleteBucketMetadataTableConfiguration",
            ]),
        SubResource(
            "notification",
            bucket: [.get: "GetBucketNotificationConfiguration", .put: "PutBucketNotificationConfiguration"]),
        SubResource("object-lock", bucket: [.get: "GetObjectLockConfiguration", .put: "PutObjectLockConfiguration"]),
        SubResource("ownershipControls", bucketGetPutDelete: "BucketOwnershipControls"),
        SubResource("policy", bucketGetPutDelete: "BucketPolicy"),
        SubResource("policyStatus", bucket: [.get: "GetBucketPolicyStatus"]),
        SubResource("publicAccessBlock", bucketGetPutDelete: "PublicAccessBlock"),
        SubResource("renameObject", object: [.put: "RenameObject"]),
        SubResource("requestPayment", bucket: [.get: "GetBucketRequestPayment", .put: "PutBucketRequestPayment"]),
        SubResource("restore", object: [.post: "RestoreObject"]),
        SubResource("retention", object: [.get: "GetObjectRetention", .put: "PutObjectRetention"]),
        SubResource("select", object: [.post: "SelectObjectContent"]),
        SubResource("session", bucket: [.get: "CreateSession"]),
        SubResource(
            "tagging",
            bucket: [.get: "GetBucketTagging", .put: "PutBucketTagging", .delete: "DeleteBucketTagging"],
            object: [.get: "GetObjectTagging", .put: "PutObjectTagging", .delete: "DeleteObjectTagging"]),
        SubResource("torrent", object: [.get: "GetObjectTorrent"]),
        SubResource(
            "uploadId",
            object: [
                .get: "ListParts", .put: "UploadPart", .post: "CompleteMultipartUpload", .delete: "AbortMultipartUpload",
            ]),
        SubResource("uploads", bucket: [.get: "ListMultipartUploads"], object: [.post: "CreateMultipartUpload"]),
        SubResource("versioning", bucket: [.get: "GetBucketVersioning", .put: "PutBucketVersioning"]),
        SubResource("versions", bucket: [.get: "ListObjectVersions"]),
    ]

    /// All sub-resources by name.
    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
