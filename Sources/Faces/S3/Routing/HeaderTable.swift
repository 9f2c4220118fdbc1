import Calls
import Federation
import HTTPTypes
import WireFormats

/// A request header that an operation does not read.
///
/// S3 ignores most headers that an operation does not define. The table has those that it refuses, and those that look as if they had to
/// be refused. It also has every header that an operation defines and that is refused or has no effect here; the page about AWS lists
/// these with their reasons, and `Tests/EndToEnd/s3/test_s3_members.py` finds those that are missing.
struct HeaderRow: Sendable {
    /// The operations that a row is about.
    enum Scope: Sendable {
        /// Operations by the names of their API actions.
        case operations([String])
        /// Every operation with GET, HEAD or DELETE, and CompleteMultipartUpload.
        case allButWrites
    }

    enum Treatment: Hashable, Sendable {
        /// 400 `InvalidArgument` with this text.
        case refused(Refusal)
        /// 501 `NotImplemented`.
        case unimplemented
        /// No effect, for this reason.
        case ignored(String)
        /// The operation defines the header, but it has no effect here, for this reason.
        case withoutEffect(String)
    }

    /// The texts with which S3 refuses a header.
    enum Refusal: Hashable, Sendable {
        case metadata, unsupported, context, copySource

        /// - Parameter header: the name of the header.
        func text(for header: String) -> String {
            switch self {
            case .metadata: "Metadata cannot be specified in this context."
            case .unsupported: "\(header) header is not supported for this operation."
            case .context: "The specified header is not valid in this context"
            case .copySource: "You can only specify a copy source header for copy requests."
            }
        }
    }

    /// Names in lowercase. A name that ends in a hyphen stands for all that begin with it.
    var headers: [String]
    var scope: Scope
    var treatment: Treatment
    /// Public reports that quote S3, or the reference that says so.
    var source: String

    private static let parts = ["UploadPart", "UploadPartCopy", "CompleteMultipartUpload"]

    static let all: [HeaderRow] = [
        HeaderRow(
            headers: ["x-amz-meta-"], scope: .operations(parts), treatment: .refused(.metadata),
            source: "ClickHouse/ClickHouse#60747, minio/minio-js#743, durch/rust-s3#352, aws/aws-sdk-java#1882"),
        HeaderRow(
            headers: ["x-amz-server-side-encryption"], scope: .operations(parts + ["ListObjects", "ListObjectsV2"]),
            treatment: .refused(.unsupported),
            source: "aws/aws-sdk-java#1876, ClickHouse/ClickHouse#64570, fog/fog-aws#589; s3tools/s3cmd#142, #146 and #276 for listings"),
        HeaderRow(
            headers: [
                "x-amz-server-side-encryption-aws-kms-key-id", "x-amz-server-side-encryption-context",
                "x-amz-server-side-encryption-bucket-key-enabled",
            ], scope: .operations(parts), treatment: .refused(.unsupported), source: "by analogy to x-amz-server-side-encryption"),
        HeaderRow(
            headers: [
                "x-amz-acl", "x-amz-grant-read", "x-amz-grant-write", "x-amz-grant-read-acp", "x-amz-grant-write-acp",
                "x-amz-grant-full-control", "x-amz-tagging", "x-amz-tagging-directive", "x-amz-metadata-directive",
            ], scope: .operations(parts), treatment: .refused(.context),
            source: "boto/boto3#2675 (tagging), bji/libs3#80 (directive); grants and the other directive by analogy"),
        HeaderRow(
            headers: ["content-md5"], scope: .operations(["UploadPartCopy"]), treatment: .refused(.context),
            source: "JuliaCloud/AWS.jl#695"),
        HeaderRow(
            headers: ["x-amz-copy-source"], scope: .allButWrites, treatment: .refused(.copySource), source: "versity/versitygw#1642"),
        HeaderRow(
            headers: ["x-amz-if-match-last-modified-time", "x-amz-if-match-size"], scope: .operations(["DeleteObject", "DeleteObjects"]),
            treatment: .unimplemented, source: "localstack/localstack#12787"),
        HeaderRow(
            headers: ["x-amz-if-match-initiated-time"], scope: .operations(["AbortMultipartUpload"]), treatment: .unimplemented,
            source: "S3 API Reference, AbortMultipartUpload: only for directory buckets"),
        HeaderRow(
            headers: ["x-amz-storage-class", "x-amz-website-redirect-location", "x-amz-object-lock-"], scope: .operations(parts),
            treatment: .ignored("no report says that S3 refuses them"), source: "none"),
        HeaderRow(
            headers: ["x-amz-object-annotation-directive"], scope: .operations(["CopyObject"]),
            treatment: .withoutEffect("objects have no annotations here"), source: "S3 API Reference, CopyObject"),
        HeaderRow(
            headers: ["x-amz-mfa"], scope: .operations(["DeleteObject", "DeleteObjects", "PutBucketVersioning"]),
            treatment: .withoutEffect("MFA delete cannot be enabled here"), source: "S3 User Guide, Configuring MFA delete"),
        HeaderRow(
            headers: ["x-amz-optional-object-attributes"], scope: .operations(["ListObjects", "ListObjectsV2", "ListObjectVersions"]),
            treatment: .withoutEffect("listings have no RestoreStatus here"), source: "S3 API Reference, ListObjectsV2"),
        HeaderRow(
            headers: [
                "x-amz-server-side-encryption-customer-algorithm", "x-amz-server-side-encryption-customer-key",
                "x-amz-server-side-encryption-customer-key-md5",
            ], scope: .operations(["ListParts"]), treatment: .withoutEffect("a list of parts returns nothing that the key encrypts"),
            source: "S3 API Reference, ListParts"),
        HeaderRow(
            headers: ["x-amz-confirm-remove-self-bucket-access"], scope: .operations(["PutBucketPolicy"]),
            treatment: .withoutEffect("the owner's root user can always change the policy"),
            source: "S3 API Reference, PutBucketPolicy; RADOS Gateway locks the root user out, too"),
        HeaderRow(
            headers: ["x-amz-bucket-object-lock-token"], scope: .operations(["PutObjectLockConfiguration", "PutBucketReplication"]),
            treatment: .withoutEffect("Object Lock of an existing bucket needs no token"),
            source: "S3 User Guide, Enable Object Lock on an existing S3 bucket"),
    ]

    /// Returns whether the row is about this header.
    /// - Parameter name: in lowercase.
    func has(_ name: String) -> Bool {
        headers.contains { $0 == name || $0.utf8.last == UInt8(ascii: "-") && name.hasPrefix($0) }
    }

    /// The rows that name an operation, by its name.
    static let byOperation: [String: [HeaderRow]] = all.reduce(into: [:]) { rows, row in
        guard case .operations(let names) = row.scope else { return }
        for name in names { rows[name, default: []].append(row) }
    }
}

extension S3Operation {
    /// Refuses headers that do not belong to the operation, as ``HeaderRow`` says. The most frequent operations look for one header, or
    /// for none. RADOS Gateway ignores the headers that S3 refuses.
    /// - Throws: `InvalidArgument`, `NotImplemented`.
    func check(_ headers: HTTPFields, method: HTTPRequest.Method, _ dialect: Dialect) throws(S3Error) {
        var isRead = method == .get || method == .head
        switch self {
        case .object(_, .uploadPart), .object(_, .uploadPartCopy), .object(_, .abortMultipartUpload), .object(_, .deleteObject),
            .bucket(_, .deleteObjects):
            try checkRows(headers, dialect)
        case .object(_, .completeMultipartUpload):
            isRead = true
            try checkRows(headers, dialect)
        case .bucket(_, .listObjects), .bucket(_, .listObjectsV2):
            if headers.value(of: .serverSideEncryption) != nil { try checkRows(headers, dialect) }
        default: break
        }
        guard isRead || method == .delete, dialect == .aws, let source = headers.value(of: .copySource) else { return }
        throw .refused(.copySource, "x-amz-copy-source", source)
    }

    private func checkRows(_ headers: HTTPFields, _ dialect: Dialect) throws(S3Error) {
        guard let rows = HeaderRow.byOperation[name] else { return }
        for field in headers {
            let header = field.name.canonicalName
            guard header.begins(with: "x-amz-") || header == "content-md5", let row = rows.first(where: { $0.has(header) }) else {
                continue
            }
            switch row.treatment {
            case .refused(let refusal) where dialect == .aws: throw .refused(refusal, header, field.value)
            case .unimplemented: throw .notImplemented(header: header)
            case .refused, .ignored, .withoutEffect: break
            }
        }
    }
}

extension S3Error {
    fileprivate static func refused(_ refusal: HeaderRow.Refusal, _ header: String, _ value: String) -> S3Error {
        .invalidArgument(refusal.text(for: header), name: header, value: value)
    }
}
