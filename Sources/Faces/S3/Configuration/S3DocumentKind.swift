import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// A kind of configuration of which a bucket has at most one. It is put, returned and deleted as a whole. (S3 API Reference, "Actions".)
///
/// To add a kind, add a case, its row in ``descriptor``, its actions, and its case of `BucketDocument`.
enum S3DocumentKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case abac
    case cors
    case replication
    case website

    /// The properties of a kind.
    struct Descriptor: Sendable {
        /// The name in the names of operations.
        var name: String
        /// The actions that read, replace and delete it; without the last one, no operation deletes it.
        var actions: (get: S3Action, put: S3Action, delete: S3Action?)
        var document: BucketDocument
        var root: String
        var missing: Missing
        /// The resource type in error documents; `nil` for the sub-resource in capitals.
        var type: String?
        /// Whether the path of a key has the sub-resource of its bucket.
        var servesKeys = true
        /// The name of the resource in access logs.
        var logName = "BUCKET"
        /// Whether a document without a digest is refused.
        var needsDigest = false
        /// The published schema of the elements in the root.
        var schema: [DocumentSchema.Member]
        /// Rejects documents that the schema allows and the service does not.
        var check: Check = { element, _, _ in element.encodeChildren }
    }

    /// The response if a bucket has no configuration of the kind.
    enum Missing {
        /// A root element with this content.
        case content(@Sendable (inout XMLWriter) -> Void)
        case error(S3Error.Code)
    }

    /// Checks a document.
    /// - Returns: writes the stored content of the root, which can be more than the document's.
    typealias Check = @Sendable (XMLElement, Bucket, S3Request) throws(S3Error) -> (inout XMLWriter) -> Void

    /// The properties of this kind.
    var descriptor: Descriptor {
        switch self {
        case .abac:
            Descriptor(
                name: "BucketAbac", actions: (.getBucketAbac, .putBucketAbac, nil), document: .abac, root: AbacStatus.root,
                missing: .content { AbacStatus.disabled.encodeContent(into: &$0) }, type: "BUCKET_ABAC", servesKeys: false,
                logName: "BUCKET_ABAC", schema: AbacStatus.schema)
        case .cors:
            Descriptor(
                name: "BucketCors", actions: (.getBucketCORS, .putBucketCORS, .putBucketCORS), document: .cors,
                root: CORSConfiguration.root, missing: .error(.noSuchCORSConfiguration), logName: "CORS", needsDigest: true,
                schema: CORSConfiguration.schema, check: CORSConfiguration.check)
        case .replication:
            Descriptor(
                name: "BucketReplication",
                actions: (.getReplicationConfiguration, .putReplicationConfiguration, .putReplicationConfiguration),
                document: .replication, root: "ReplicationConfiguration", missing: .error(.replicationConfigurationNotFound),
                schema: ReplicationRules.schema, check: ReplicationRules.check)
        case .website:
            Descriptor(
                name: "BucketWebsite", actions: (.getBucketWebsite, .putBucketWebsite, .deleteBucketWebsite), document: .website,
                root: WebsiteConfiguration.root, missing: .error(.noSuchWebsiteConfiguration), logName: "WEBSITE",
                schema: WebsiteConfiguration.schema, check: WebsiteConfiguration.check)
        }
    }
}

/// An operation on a configuration of which a bucket has at most one.
struct S3DocumentOperation: Hashable, Sendable {
    var verb: DocumentVerb
    var kind: S3DocumentKind

    /// The name of the API action.
    var name: String { "\(verb.rawValue)\(kind.descriptor.name)" }

    init?(_ method: HTTPRequest.Method, on subResource: String) {
        guard let verb = DocumentVerb(method), let kind = S3DocumentKind(rawValue: subResource) else { return nil }
        (self.verb, self.kind) = (verb, kind)
    }

    /// The names of resources in access logs, by the name of the operation.
    static let logNames: [String: String] = {
        var names: [String: String] = [:]
        for row in S3DocumentKind.allCases.map(\.descriptor) {
            for verb in ["Get", "Put", "Delete"] { names["\(verb)\(row.name)"] = row.logName }
        }
        return names
    }()
}
