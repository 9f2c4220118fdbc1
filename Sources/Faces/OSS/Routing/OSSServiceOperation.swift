import HTTPTypes
import WireFormats

/// Operations on the service itself.
enum OSSServiceOperation: Hashable {
    case listBuckets
    case describeRegions
    case getPublicAccessBlock
    case putPublicAccessBlock
    case deletePublicAccessBlock
    case listCloudBoxes
    /// An operation of OSS that this process does not implement, by its sub-resource.
    case unimplemented(String)

    private static let foreign = ["accessPoint", "asyncFetch", "qosInfo", "redundancyTransition", "resourcePool", "userQosInfo"]

    init(_ method: HTTPRequest.Method, _ query: FormFields, _ headers: HTTPFields) throws(OSSError) {
        func has(_ name: String) -> Bool { query[name] != nil }
        switch method {
        case .get where has("regions"): self = .describeRegions
        case .get where has("cloudboxes"): self = .listCloudBoxes
        case .get where has("publicAccessBlock"): self = .getPublicAccessBlock
        case .put where has("publicAccessBlock"): self = .putPublicAccessBlock
        case .delete where has("publicAccessBlock"): self = .deletePublicAccessBlock
        case _ where Self.foreign.contains(where: has): self = .unimplemented(Self.foreign.first(where: has) ?? "")
        case .get: self = .listBuckets
        default: throw .methodNotAllowed(method, on: "Service")
        }
    }

    /// The name of the operation in the API Reference and the journal.
    var name: String {
        switch self {
        case .listBuckets: "GetService"
        case .describeRegions: "DescribeRegions"
        case .getPublicAccessBlock: "GetPublicAccessBlock"
        case .putPublicAccessBlock: "PutPublicAccessBlock"
        case .deletePublicAccessBlock: "DeletePublicAccessBlock"
        case .listCloudBoxes: "ListCloudBoxes"
        case .unimplemented(let subResource): subResource
        }
    }
}
