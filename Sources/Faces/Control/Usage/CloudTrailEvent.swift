import Directory
import WireFormats

/// An event of CloudTrail, as far as it says who asked for what. (CloudTrail User Guide, "CloudTrail record contents".)
struct CloudTrailEvent {
    let id: String
    let time: String?
    /// The service without its domain, such as `s3`.
    let service: String
    let name: String
    /// The error that AWS returned.
    let errorCode: String?
    private let json: JSONValue

    /// - Returns: `nil` for a value that is not an event.
    init?(_ json: JSONValue) {
        guard let source = json["eventSource"]?.stringValue, let name = json["eventName"]?.stringValue else { return nil }
        self.json = json
        self.name = name
        service = String(source.prefix { $0 != "." })
        id = json["eventID"]?.stringValue ?? ""
        time = json["eventTime"]?.stringValue
        errorCode = json["errorCode"]?.stringValue
    }

    /// Whether AWS denied the request.
    var isDenied: Bool {
        errorCode.map { ["AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "Client.UnauthorizedOperation"].contains($0) }
            ?? false
    }

    /// The ARN of the caller or `anonymous`; `nil` for a caller without an ARN: a service, or one that presented a token.
    var caller: String? {
        let identity = json["userIdentity"]
        if identity?["accountId"] == "ANONYMOUS_PRINCIPAL" || identity?["principalId"] == "Anonymous" { return "anonymous" }
        guard identity?["invokedBy"]?.stringValue?.hasSuffix(".amazonaws.com") != true else { return nil }
        return identity?["arn"]?.stringValue
    }

    /// The session that the event issued for a web identity, with the claims that the event tells; `nil` for another event.
    var issuedSession: (arn: String, claims: [String: String])? {
        guard service == "sts", name == "AssumeRoleWithWebIdentity", let identity = json["userIdentity"],
            let arn = json["responseElements"]?["assumedRoleUser"]?["arn"]?.stringValue, let subject = identity["userName"]?.stringValue,
            let provider = identity["identityProvider"]?.stringValue
        else { return nil }
        let host = provider.split(separator: "/", maxSplits: 1).last.map(String.init) ?? provider
        let name = (IdentityProvider.Kind(principal: host) ?? .openIDConnect).descriptor.subjectKey
        return (arn, ["\(provider.hasPrefix("arn:") ? host : provider):\(name)": subject])
    }

    func parameter(_ name: String) -> String? { json["requestParameters"]?[name]?.stringValue }

    /// The condition keys that the event tells.
    var conditionKeys: [String: String] {
        var keys: [String: String] = [:]
        if let address = json["sourceIPAddress"]?.stringValue, !address.hasSuffix(".amazonaws.com") { keys["aws:SourceIp"] = address }
        keys["aws:UserAgent"] = json["userAgent"]?.stringValue
        keys["aws:RequestedRegion"] = json["awsRegion"]?.stringValue
        if json["tlsDetails"]?.objectValue != nil { keys["aws:SecureTransport"] = "true" }
        for name in ["prefix", "delimiter", "max-keys"] { keys["s3:\(name)"] = parameter(name) }
        keys["s3:VersionId"] = parameter("versionId")
        return keys
    }

    /// The resources of a type that the event lists, such as `AWS::S3::Object`.
    func resources(ofType type: String) -> [String] {
        (json["resources"]?.arrayValue ?? []).filter { $0["type"]?.stringValue == type }.compactMap { $0["ARN"]?.stringValue }
    }
}

extension CloudTrailEvent {
    /// The actions of events of S3 whose name is not the action's. (S3 User Guide, "Required permissions for Amazon S3 API operations".)
    private static let actionsOfS3 = [
        "ListBuckets": "ListAllMyBuckets", "ListObjects": "ListBucket", "ListObjectsV2": "ListBucket", "HeadBucket": "ListBucket",
        "ListObjectVersions": "ListBucketVersions", "ListMultipartUploads": "ListBucketMultipartUploads",
        "ListParts": "ListMultipartUploadParts", "HeadObject": "GetObject", "SelectObjectContent": "GetObject",
        "CreateMultipartUpload": "PutObject", "UploadPart": "PutObject", "UploadPartCopy": "PutObject",
        "CompleteMultipartUpload": "PutObject", "CopyObject": "PutObject", "DeleteObjects": "DeleteObject",
        "GetBucketEncryption": "GetEncryptionConfiguration", "PutBucketEncryption": "PutEncryptionConfiguration",
        "DeleteBucketEncryption": "PutEncryptionConfiguration", "GetBucketLifecycle": "GetLifecycleConfiguration",
        "GetBucketLifecycleConfiguration": "GetLifecycleConfiguration", "PutBucketLifecycle": "PutLifecycleConfiguration",
        "PutBucketLifecycleConfiguration": "PutLifecycleConfiguration", "DeleteBucketLifecycle": "PutLifecycleConfiguration",
        "GetPublicAccessBlock": "GetBucketPublicAccessBlock", "PutPublicAccessBlock": "PutBucketPublicAccessBlock",
        "DeletePublicAccessBlock": "PutBucketPublicAccessBlock", "DeleteBucketCors": "PutBucketCORS",
        "DeleteBucketTagging": "PutBucketTagging", "GetObjectLockConfiguration": "GetBucketObjectLockConfiguration",
        "PutObjectLockConfiguration": "PutBucketObjectLockConfiguration",
    ]

    /// The actions and resources of an event of S3.
    /// - Returns: an empty list if the event does not say which objects it is about.
    var questionsToS3: [(action: String, resource: String)] {
        guard let bucket = parameter("bucketName") else {
            return [("s3:\(Self.actionsOfS3[name] ?? name)", "*")]
        }
        let arn = "arn:aws:s3:::\(bucket)"
        var action = Self.actionsOfS3[name] ?? name
        if name == "DeleteObjects" { return resources(ofType: "AWS::S3::Object").filter { $0.contains("/") }.map { ("s3:\(action)", $0) } }
        if parameter("versionId") != nil, ["GetObject", "DeleteObject"].contains(action) { action += "Version" }
        let isOfBucket = action.hasPrefix("ListBucket") || !action.contains("Object") && !action.contains("Multipart")
        var questions = [("s3:\(action)", isOfBucket ? arn : parameter("key").map { "\(arn)/\($0)" } ?? arn)]
        if let source = parameter("x-amz-copy-source").flatMap({ percentDecoded($0[...]) }) {
            let path = (source.hasPrefix("/") ? source.dropFirst() : source[...]).prefix { $0 != "?" }
            questions.insert(("s3:GetObject", "arn:aws:s3:::\(path)"), at: 0)
        }
        return questions
    }
}
