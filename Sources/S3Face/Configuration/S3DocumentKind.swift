import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// A configuration that a bucket has once and that is put, given back and deleted whole. (S3 API Reference, "Actions".)
///
/// A case, its row in ``descriptor``, its actions and its case of `BucketDocument` are all that one more takes.
enum S3DocumentKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case cors
    case replication
    case website

    /// What sets a kind apart from the others.
    struct Descriptor: Sendable {
        /// As operations spell it.
        var name: String
        /// The actions that read, replace and delete it; without the last one, no operation deletes it.
        var actions: (get: S3Action, put: S3Action, delete: S3Action?)
        var document: BucketDocument
        var root: String
        var missing: Missing
        /// What the access log calls it.
        var logName = "BUCKET"
        /// Whether a document without a digest is refused.
        var needsDigest = false
        /// What the published schema has inside the root; `nil` where ``check`` holds it against one.
        var schema: [DocumentSchema.Member]?
        /// Refuses what the schema allows and the service does not take.
        var check: Check = { element, _, _ in element.encodeChildren }
    }

    /// What is given back where a bucket has none.
    enum Missing {
        /// The root without content.
        case empty
        case error(S3Error.Code)
    }

    /// - Returns: writes what is kept inside the root, which may be more than what was sent.
    typealias Check = @Sendable (XMLElement, Bucket, S3Request) throws(S3Error) -> (inout XMLWriter) -> Void

    /// The row of the kind.
    var descriptor: Descriptor {
        switch self {
        case .cors:
            Descriptor(
                name: "BucketCors", actions: (.getBucketCORS, .putBucketCORS, .putBucketCORS), document: .cors,
                root: CORSConfiguration.root, missing: .error(.noSuchCORSConfiguration), logName: "CORS", needsDigest: true,
                check: CORSConfiguration.check)
        case .replication:
            Descriptor(
                name: "BucketReplication",
                actions: (.getReplicationConfiguration, .putReplicationConfiguration, .putReplicationConfiguration),
                document: .replication, root: "ReplicationConfiguration", missing: .error(.replicationConfigurationNotFound),
                check: ReplicationRules.check)
        case .website:
            Descriptor(
                name: "BucketWebsite", actions: (.getBucketWebsite, .putBucketWebsite, .deleteBucketWebsite), document: .website,
                root: WebsiteConfiguration.root, missing: .error(.noSuchWebsiteConfiguration), logName: "WEBSITE",
                check: WebsiteConfiguration.check)
        }
    }
}

/// An operation on a configuration that a bucket has once.
struct S3DocumentOperation: Hashable, Sendable {
    enum Verb: String, Hashable, Sendable {
        case get = "Get"
        case put = "Put"
        case delete = "Delete"

        init?(_ method: HTTPRequest.Method) {
            switch method {
            case .get: self = .get
            case .put: self = .put
            case .delete: self = .delete
            default: return nil
            }
        }
    }

    var verb: Verb
    var kind: S3DocumentKind

    /// The name of the API action.
    var name: String { "\(verb.rawValue)\(kind.descriptor.name)" }

    init?(_ method: HTTPRequest.Method, on subResource: String) {
        guard let verb = Verb(method), let kind = S3DocumentKind(rawValue: subResource) else { return nil }
        (self.verb, self.kind) = (verb, kind)
    }

    /// What the access log calls the thing that an operation is about, by the name of the operation.
    static let logNames: [String: String] = {
        var names: [String: String] = [:]
        for row in S3DocumentKind.allCases.map(\.descriptor) {
            for verb in ["Get", "Put", "Delete"] { names["\(verb)\(row.name)"] = row.logName }
        }
        return names
    }()
}
