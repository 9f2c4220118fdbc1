import Cloud
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// A kind of configuration of which a bucket can have many, distinguished by identifiers.
/// (S3 API Reference, "InventoryConfiguration", "AnalyticsConfiguration", "MetricsConfiguration", "IntelligentTieringConfiguration".)
enum ConfigurationKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case analytics
    case intelligentTiering = "intelligent-tiering"
    case inventory
    case metrics

    /// The properties of a kind.
    struct Descriptor: Sendable {
        /// The root element of one configuration. The names of operations contain it after `Bucket`.
        var root: String
        /// The root element of a listing.
        var listRoot: String
        var document: BucketDocument
        /// The actions that read and write it. Deleting needs the action of putting.
        var actions: (get: S3Action, put: S3Action)
        /// The published schema of the elements in one configuration.
        var schema: [DocumentSchema.Member]
        /// The error code if document and query have different identifiers.
        var mismatch = S3Error.Code.malformedXML
    }

    /// The properties of this kind.
    var descriptor: Descriptor {
        switch self {
        case .analytics:
            Descriptor(
                root: "AnalyticsConfiguration", listRoot: "ListBucketAnalyticsConfigurationResult", document: .analytics,
                actions: (.getAnalyticsConfiguration, .putAnalyticsConfiguration), schema: ConfigurationSchema.analytics)
        case .intelligentTiering:
            Descriptor(
                root: "IntelligentTieringConfiguration", listRoot: "ListBucketIntelligentTieringConfigurationsOutput",
                document: .intelligentTiering,
                actions: (.getIntelligentTieringConfiguration, .putIntelligentTieringConfiguration),
                schema: ConfigurationSchema.intelligentTiering)
        case .inventory:
            Descriptor(
                root: "InventoryConfiguration", listRoot: "ListInventoryConfigurationsResult", document: .inventory,
                actions: (.getInventoryConfiguration, .putInventoryConfiguration), schema: ConfigurationSchema.inventory,
                mismatch: .idMismatch)
        case .metrics:
            Descriptor(
                root: "MetricsConfiguration", listRoot: "ListMetricsConfigurationsResult", document: .metrics,
                actions: (.getMetricsConfiguration, .putMetricsConfiguration), schema: ConfigurationSchema.metrics)
        }
    }
}

/// An operation on configurations of one kind.
struct ConfigurationOperation: Hashable, Sendable {
    enum Verb: String, Hashable, Sendable {
        case get = "Get"
        case list = "List"
        case put = "Put"
        case delete = "Delete"

        init?(_ method: HTTPRequest.Method, hasID: Bool) {
            switch method {
            case .get: self = hasID ? .get : .list
            case .put: self = .put
            case .delete: self = .delete
            default: return nil
            }
        }
    }

    var verb: Verb
    var kind: ConfigurationKind

    var name: String { "\(verb.rawValue)Bucket\(kind.descriptor.root)\(verb == .list ? "s" : "")" }

    /// - Parameter hasID: whether the request has an identifier; without one, getting is listing.
    init?(_ method: HTTPRequest.Method, on subResource: String, hasID: Bool) {
        guard let kind = ConfigurationKind(rawValue: subResource), let verb = Verb(method, hasID: hasID) else { return nil }
        (self.verb, self.kind) = (verb, kind)
    }
}
