package import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension S3Face {
    /// The bucket that a log record is for, and its role in the request.
    private struct LoggedSubject {
        var bucket: String
        var key: String?
        /// `REST` or `WEBSITE`.
        var kind: String
        /// The source of a copy, with its version, if the record is for the source bucket.
        var source: CopySourceAddress?
        /// Present if another service answers the call in the name of the bucket's owner.
        var access: ObjectAccess.Kind?
    }

    /// Appends a request to the access log of its bucket, if it has one. A copy is also appended to the log of the source bucket.
    /// - Parameter kind: the kind of request: `REST` or `WEBSITE`.
    func record(_ call: Call, _ response: Response, _ address: Address, as kind: String = "REST") {
        guard let (name, key) = try? address.get(), let name else { return }
        record(call, response, LoggedSubject(bucket: name, key: key, kind: kind))
        guard call.method == .put, let text = call.headers.value(of: .copySource), let source = try? CopySourceAddress(header: text)
        else { return }
        record(call, response, LoggedSubject(bucket: source.bucket, key: source.key, kind: kind, source: source))
    }

    /// Appends a request through another service to the access log of the bucket that it used, if the bucket has one.
    package func record(_ call: Call, _ response: Response, _ access: ObjectAccess) {
        record(call, response, LoggedSubject(bucket: access.bucket, key: access.key, kind: "REST", access: access.kind))
    }

    private func record(_ call: Call, _ response: Response, _ subject: LoggedSubject) {
        guard let bucket = call.cloud.objects.bucket(named: subject.bucket, for: .aws), bucket.configuration.documents[.logging] != nil,
            let status = try? bucket.loggingStatus(call.cloud.directory),
            let target = call.cloud.objects.bucket(named: status.targetBucket, for: .aws)
        else { return }
        let entry = call.entry(status: Int(response.status.code))
        let name = subject.access.map(Self.name) ?? entry.operation
        guard let operation = Self.operation(name, subject.access == .write ? .put : call.method, subject) else { return }
        let signature = subject.access == nil ? LoggedSignature(call) : nil
        let headers = call.headers
        let bytesSent = call.method == .head ? nil : response.sentLength
        let version =
            subject.source.map(\.version) ?? response.headers[.versionID] ?? call.queryFields?["versionId"]
        let owner = call.cloud.directory.canonicalUserID(of: bucket.account)
        let record = AccessLogRecord(
            owner: owner, bucket: bucket.name, time: call.received,
            remoteIP: call.sourceIP.isEmpty ? nil : call.sourceIP,
            requester: subject.access != nil ? owner : entry.caller.map { Self.requester($0, call.cloud.directory) },
            requestID: call.id.text,
            operation: operation, key: subject.key,
            requestLine: "\(call.method.rawValue) \(call.request.target) HTTP/1.1",
            status: Int(response.status.code), errorCode: entry.errorCode, bytesSent: bytesSent,
            objectSize: Self.objectSize(name, headers, response),
            totalMilliseconds: max(0, call.cloud.clock.now.milliseconds - call.received.milliseconds),
            referer: headers[.referer], userAgent: headers[.userAgent], versionID: version, hostID: call.id.hostID,
            signatureVersion: signature?.version, authenticationType: signature?.place, host: call.authority,
            tlsVersion: call.isSecure ? "TLSv1.2" : nil)
        accessLog.append(
            AccessLog.Line(time: record.time, text: record.line),
            to: AccessLog.Destination(
                target, prefix: status.targetPrefix, naming: status.naming, grants: status.targetGrants, of: bucket))
    }

    /// Returns the equivalent operation of S3.
    private static func name(of kind: ObjectAccess.Kind) -> String {
        switch kind {
        case .read: "GetObject"
        case .head: "HeadObject"
        case .write: "PutObject"
        case .delete: "DeleteObject"
        case .list: "ListObjectsV2"
        case .describe: "HeadBucket"
        }
    }

    /// Returns a name such as `REST.GET.OBJECT`; `nil` if the operation does not use the subject.
    private static func operation(_ name: String?, _ method: HTTPRequest.Method, _ subject: LoggedSubject) -> String? {
        let end = subject.source == nil ? "" : "_GET"
        switch name {
        case "CopyObject": return "\(subject.kind).COPY.OBJECT\(end)"
        case "UploadPartCopy": return "\(subject.kind).COPY.PART\(end)"
        default:
            guard subject.source == nil else { return nil }
            return "\(subject.kind).\(method.rawValue).\(resource(name, isObject: subject.key != nil))"
        }
    }

    /// Returns the canonical user ID for the root user of an account, and the ARN for other callers.
    private static func requester(_ arn: String, _ directory: Directory) -> String {
        let fields = arn.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 6, fields[5] == "root" else { return arn }
        return directory.canonicalUserID(of: String(fields[4]))
    }

    /// Returns the name of the operation's resource in the log.
    private static func resource(_ operation: String?, isObject: Bool) -> String {
        switch operation {
        case "GetBucketAcl", "PutBucketAcl", "GetObjectAcl", "PutObjectAcl": "ACL"
        case "GetBucketVersioning", "PutBucketVersioning": "VERSIONING"
        case "GetBucketLogging", "PutBucketLogging": "LOGGING_STATUS"
        case "GetBucketPolicy", "PutBucketPolicy", "DeleteBucketPolicy": "BUCKETPOLICY"
        case "GetBucketPolicyStatus": "POLICY_STATUS"
        case "GetBucketLocation": "LOCATION"
        case "Preflight": "PREFLIGHT"
        case "GetBucketLifecycleConfiguration", "PutBucketLifecycleConfiguration", "DeleteBucketLifecycle": "LIFECYCLE"
        case "GetBucketNotificationConfiguration", "PutBucketNotificationConfiguration": "NOTIFICATION"
        case "GetBucketRequestPayment", "PutBucketRequestPayment": "REQUEST_PAYMENT"
        case "GetBucketAccelerateConfiguration", "PutBucketAccelerateConfiguration": "ACCELERATE"
        case "GetBucketTagging", "PutBucketTagging", "DeleteBucketTagging": "TAGGING"
        case "GetObjectTagging", "PutObjectTagging", "DeleteObjectTagging": "OBJECT_TAGGING"
        case "GetBucketEncryption", "PutBucketEncryption", "DeleteBucketEncryption": "ENCRYPTION"
        case "GetPublicAccessBlock", "PutPublicAccessBlock", "DeletePublicAccessBlock": "PUBLIC_ACCESS_BLOCK"
        case "GetBucketOwnershipControls", "PutBucketOwnershipControls", "DeleteBucketOwnershipControls": "OWNERSHIP_CONTROLS"
        case "GetObjectLockConfiguration", "PutObjectLockConfiguration": "OBJECT_LOCK_CONFIGURATION"
        case "GetObjectRetention", "PutObjectRetention": "OBJECT_LOCK_RETENTION"
        case "GetObjectLegalHold", "PutObjectLegalHold": "OBJECT_LOCK_LEGALHOLD"
        case "GetObjectAttributes": "OBJECT_ATTRIBUTES"
        case "ListObjectVersions": "BUCKETVERSIONS"
        case "ListMultipartUploads", "CreateMultipartUpload": "UPLOADS"
        case "CompleteMultipartUpload", "AbortMultipartUpload", "ListParts": "UPLOAD"
        case "UploadPart": "PART"
        case "DeleteObjects": "MULTI_OBJECT_DELETE"
        case "RestoreObject": "OBJECT_RESTORE"
        default: operation.flatMap { S3DocumentOperation.logNames[$0] } ?? (isObject ? "OBJECT" : "BUCKET")
        }
    }

    /// Returns the size of the object that was read or written, if the headers contain it.
    private static func objectSize(_ operation: String?, _ request: HTTPFields, _ response: Response) -> Int64? {
        switch operation {
        case "GetObject", "HeadObject", "Website":
            guard response.status.kind == .successful else { return nil }
            if let range = response.headers[.contentRange] { return range.split(separator: "/").last.flatMap { Int64($0) } }
            return response.headers[.contentLength].flatMap { Int64($0) }
        case "PutObject", "UploadPart":
            return (request[.decodedContentLength] ?? request[.contentLength]).flatMap { Int64($0) }
        default: return nil
        }
    }
}

/// The signature version and location that a request claims, whether the signature is valid or not.
private struct LoggedSignature {
    var version: String
    var place: String

    init?(_ call: Call) {
        if let authorization = call.headers[.authorization] {
            version = authorization.hasPrefix("AWS ") ? "SigV2" : "SigV4"
            place = "AuthHeader"
        } else if let query = call.queryFields, query["X-Amz-Signature"] ?? query["Signature"] != nil {
            version = query["X-Amz-Signature"] == nil ? "SigV2" : "SigV4"
            place = "QueryString"
        } else {
            return nil
        }
    }
}

extension Bucket {
    /// Returns the access log configuration of the bucket; `nil` if it has no log.
    func loggingStatus(_ directory: @autoclosure () -> Directory) throws(S3Error) -> LoggingStatus? {
        // The stored document has no email addresses, because they were resolved when it was put; the Ceph dialect accepts all of it.
        try document(.logging) { text in
            try LoggingStatus(XMLElement(parsing: Array(text.utf8)), GranteeReader(directory: directory(), dialect: .ceph))
        }
    }
}
