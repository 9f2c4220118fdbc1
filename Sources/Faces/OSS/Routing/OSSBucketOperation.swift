import HTTPTypes
import ObjectServing
import WireFormats

/// Operations on an existing bucket.
enum OSSBucketOperation: Hashable {
    case deleteBucket
    case listObjects
    case listObjectsV2
    case listObjectVersions
    case listMultipartUploads
    case listLiveChannels
    case getBucketInfo
    case getBucketLocation
    case getBucketStat
    case getBucketAcl
    case putBucketAcl
    case getBucketVersioning
    case putBucketVersioning
    case getBucketTags
    case putBucketTags
    case deleteBucketTags
    case getBucketPolicy
    case putBucketPolicy
    case deleteBucketPolicy
    case getBucketPolicyStatus
    case getBucketRequestPayment
    case putBucketRequestPayment
    case getPublicAccessBlock
    case putPublicAccessBlock
    case deletePublicAccessBlock
    /// An operation on the public access block of an access point. Access points are not implemented.
    case accessPointPublicAccessBlock
    case getBucketCors
    case putBucketCors
    case deleteBucketCors
    case getBucketLifecycle
    case putBucketLifecycle
    case deleteBucketLifecycle
    case getBucketWorm
    case initiateBucketWorm
    case abortBucketWorm
    case completeBucketWorm
    case extendBucketWorm
    case cname(OSSCnameOperation)
    /// An operation on a configuration that is put, returned and deleted as a whole.
    case document(OSSDocumentKind, DocumentVerb)
    /// An operation on configurations of which a bucket can have many.
    case named(OSSNamedKind, DocumentVerb)
    case getReplication
    case deleteMultipleObjects
    case postObject
    /// An operation of OSS that this process does not implement, by its sub-resource.
    case unimplemented(String)

    /// Determines the operation.
    /// - Returns: `nil` if there is no sub-resource and no operation for the method.
    init?(_ method: HTTPRequest.Method, _ query: FormFields, _ headers: HTTPFields) throws(OSSError) {
        guard let found = Self.bySubResource(method, query) ?? Self.plain(method, query) else { return nil }
        self = found
    }

    /// Returns the operation without a sub-resource.
    private static func plain(_ method: HTTPRequest.Method, _ query: FormFields) -> OSSBucketOperation? {
        switch method {
        case .get, .head: query["list-type"] == "2" ? .listObjectsV2 : .listObjects
        case .delete: .deleteBucket
        case .post: .postObject
        default: nil
        }
    }

    /// Returns the operation for a sub-resource and the method.
    private static func bySubResource(_ method: HTTPRequest.Method, _ query: FormFields) -> OSSBucketOperation? {
        for field in query.fields {
            // The query of ExtendBucketWorm contains `wormId` as well, before or after `wormExtend`.
            if field.name == "wormId", query["wormExtend"] != nil { continue }
            if field.name == "publicAccessBlock", query["x-oss-access-point-name"] != nil { return .accessPointPublicAccessBlock }
            if let table = fixed[field.name] {
                if let operation = table[method] { return operation }
                return .unimplemented(field.name)
            }
            if field.name == "policy", query["comp"] == "callback", let verb = DocumentVerb(method) {
                return .document(.callbackPolicy, verb)
            }
            if field.name == "cname" || (field.name == "comp" && query["cname"] != nil) {
                return OSSCnameOperation(method, comp: query["comp"]).map { .cname($0) } ?? .unimplemented("cname")
            }
            if let kind = OSSDocumentKind(rawValue: field.name) {
                return DocumentVerb(method).map { .document(kind, $0) } ?? .unimplemented(field.name)
            }
            if let kind = OSSNamedKind(rawValue: field.name) {
                return DocumentVerb(method).map { .named(kind, $0) } ?? .unimplemented(field.name)
            }
            if let operation = policy(field.name, method) { return operation }
            if foreign.contains(field.name) { return .unimplemented(field.name) }
        }
        return nil
    }

    private static func policy(_ name: String, _ method: HTTPRequest.Method) -> OSSBucketOperation? {
        guard name == "policy" else { return nil }
        return switch method {
        case .get: .getBucketPolicy
        case .put: .putBucketPolicy
        case .delete: .deleteBucketPolicy
        default: .unimplemented(name)
        }
    }

    /// The operations by sub-resource and method. (OSS API Reference, "Bucket operations".)
    private static let fixed: [String: [HTTPRequest.Method: OSSBucketOperation]] = [
        "acl": [.get: .getBucketAcl, .put: .putBucketAcl],
        "bucketInfo": [.get: .getBucketInfo],
        "cors": [.get: .getBucketCors, .put: .putBucketCors, .delete: .deleteBucketCors],
        "delete": [.post: .deleteMultipleObjects],
        "lifecycle": [.get: .getBucketLifecycle, .put: .putBucketLifecycle, .delete: .deleteBucketLifecycle],
        "live": [.get: .listLiveChannels],
        "location": [.get: .getBucketLocation],
        "policyStatus": [.get: .getBucketPolicyStatus],
        "publicAccessBlock": [.get: .getPublicAccessBlock, .put: .putPublicAccessBlock, .delete: .deletePublicAccessBlock],
        "replication": [.get: .getReplication],
        "requestPayment": [.get: .getBucketRequestPayment, .put: .putBucketRequestPayment],
        "stat": [.get: .getBucketStat],
        "tagging": [.get: .getBucketTags, .put: .putBucketTags, .delete: .deleteBucketTags],
        "uploads": [.get: .listMultipartUploads],
        "versioning": [.get: .getBucketVersioning, .put: .putBucketVersioning],
        "versions": [.get: .listObjectVersions],
        "worm": [.get: .getBucketWorm, .post: .initiateBucketWorm, .delete: .abortBucketWorm],
        "wormExtend": [.post: .extendBucketWorm],
        "wormId": [.post: .completeBucketWorm],
    ]

    /// Sub-resources of operations that this process does not implement.
    private static let foreign: Set<String> = [
        "accessPoint", "accessPointPolicy", "asyncFetch", "cleanRestoredObject", "dataPipeline", "metaQuery", "qosInfo",
        "redundancyTransition", "replicationLocation", "replicationProgress", "requesterQosInfo", "resourcePool", "rtc", "vod",
    ]

    /// The name of the operation in the API Reference and the journal.
    var name: String {
        switch self {
        case .deleteBucket: "DeleteBucket"
        case .listObjects: "GetBucket"
        case .listObjectsV2: "GetBucketV2"
        case .listObjectVersions: "ListObjectVersions"
        case .listMultipartUploads: "ListMultipartUploads"
        case .listLiveChannels: "ListLiveChannel"
        case .getBucketInfo: "GetBucketInfo"
        case .getBucketLocation: "GetBucketLocation"
        case .getBucketStat: "GetBucketStat"
        case .getBucketAcl: "GetBucketAcl"
        case .putBucketAcl: "PutBucketAcl"
        case .getBucketVersioning: "GetBucketVersioning"
        case .putBucketVersioning: "PutBucketVersioning"
        case .getBucketTags: "GetBucketTags"
        case .putBucketTags: "PutBucketTags"
        case .deleteBucketTags: "DeleteBucketTags"
        case .getBucketPolicy: "GetBucketPolicy"
        case .putBucketPolicy: "PutBucketPolicy"
        case .deleteBucketPolicy: "DeleteBucketPolicy"
        case .getBucketPolicyStatus: "GetBucketPolicyStatus"
        case .getBucketRequestPayment: "GetBucketRequestPayment"
        case .putBucketRequestPayment: "PutBucketRequestPayment"
        case .getPublicAccessBlock: "GetBucketPublicAccessBlock"
        case .putPublicAccessBlock: "PutBucketPublicAccessBlock"
        case .deletePublicAccessBlock: "DeleteBucketPublicAccessBlock"
        case .accessPointPublicAccessBlock: "AccessPointPublicAccessBlock"
        case .getBucketCors: "GetBucketCors"
        case .putBucketCors: "PutBucketCors"
        case .deleteBucketCors: "DeleteBucketCors"
        case .getBucketLifecycle: "GetBucketLifecycle"
        case .putBucketLifecycle: "PutBucketLifecycle"
        case .deleteBucketLifecycle: "DeleteBucketLifecycle"
        case .getBucketWorm: "GetBucketWorm"
        case .initiateBucketWorm: "InitiateBucketWorm"
        case .abortBucketWorm: "AbortBucketWorm"
        case .completeBucketWorm: "CompleteBucketWorm"
        case .extendBucketWorm: "ExtendBucketWorm"
        case .cname(let operation): operation.rawValue
        case .document(let kind, let verb): "\(verb.rawValue)\(kind.descriptor.name)"
        case .named(let kind, let verb): "\(verb.rawValue)\(kind.descriptor.name)"
        case .getReplication: "GetBucketReplication"
        case .deleteMultipleObjects: "DeleteMultipleObjects"
        case .postObject: "PostObject"
        case .unimplemented(let subResource): subResource
        }
    }
}

/// Operations on the custom domain names of a bucket. The raw value is the name.
enum OSSCnameOperation: String, Hashable {
    case create = "CreateCnameToken"
    case get = "GetCnameToken"
    case put = "PutCname"
    case list = "ListCname"
    case delete = "DeleteCname"

    init?(_ method: HTTPRequest.Method, comp: String?) {
        switch (method, comp) {
        case (.post, "token"): self = .create
        case (.get, "token"): self = .get
        case (.post, "add"): self = .put
        case (.post, "delete"): self = .delete
        case (.get, nil), (.get, ""): self = .list
        default: return nil
        }
    }

    /// The action that the operation needs.
    var action: OSSAction {
        switch self {
        case .create: .createCnameToken
        case .get: .getCnameToken
        case .put: .putCname
        case .list: .listCname
        case .delete: .deleteCname
        }
    }
}
