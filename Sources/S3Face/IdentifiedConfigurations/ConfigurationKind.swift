import Cloud
import ObjectServing
import ObjectStore

/// A kind of configuration of which a bucket can have many, distinguished by identifiers.
/// (S3 API Reference, "InventoryConfiguration", "AnalyticsConfiguration", "MetricsConfiguration", "IntelligentTieringConfiguration".)
enum ConfigurationKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case analytics
    case intelligentTiering = "intelligent-tiering"
    case inventory
    case metrics

    /// The name in operations and elements.
    var name: String {
        switch self {
        case .analytics: "Analytics"
        case .intelligentTiering: "IntelligentTiering"
        case .inventory: "Inventory"
        case .metrics: "Metrics"
        }
    }

    /// The root element of one configuration.
    var root: String { "\(name)Configuration" }

    /// The root element of a listing.
    var listRoot: String {
        switch self {
        case .analytics: "ListBucketAnalyticsConfigurationResult"
        case .intelligentTiering: "ListBucketIntelligentTieringConfigurationsOutput"
        case .inventory: "ListInventoryConfigurationsResult"
        case .metrics: "ListMetricsConfigurationsResult"
        }
    }

    var document: BucketDocument {
        switch self {
        case .analytics: .analytics
        case .intelligentTiering: .intelligentTiering
        case .inventory: .inventory
        case .metrics: .metrics
        }
    }

    var readAction: S3Action {
        switch self {
        case .analytics: .getAnalyticsConfiguration
        case .intelligentTiering: .getIntelligentTieringConfiguration
        case .inventory: .getInventoryConfiguration
        case .metrics: .getMetricsConfiguration
        }
    }

    /// The action for putting and deleting.
    var writeAction: S3Action {
        switch self {
        case .analytics: .putAnalyticsConfiguration
        case .intelligentTiering: .putIntelligentTieringConfiguration
        case .inventory: .putInventoryConfiguration
        case .metrics: .putMetricsConfiguration
        }
    }

    /// The members of one configuration in the published schema.
    var schema: [DocumentSchema.Member] {
        switch self {
        case .analytics: ConfigurationSchema.analytics
        case .intelligentTiering: ConfigurationSchema.intelligentTiering
        case .inventory: ConfigurationSchema.inventory
        case .metrics: ConfigurationSchema.metrics
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
    }

    var verb: Verb
    var kind: ConfigurationKind

    var name: String { "\(verb.rawValue)Bucket\(kind.root)\(verb == .list ? "s" : "")" }

    /// Creates the operation for a name in the table of sub-resources.
    /// - Parameters:
    ///   - name: the name of the operation.
    ///   - hasID: whether the request has an identifier; without one, `Get` means `List`.
    init?(named name: String, hasID: Bool) {
        guard let kind = ConfigurationKind.allCases.first(where: { name.hasSuffix("Bucket\($0.root)") }),
            let verb = Verb(rawValue: String(name.dropLast("Bucket\(kind.root)".count)))
        else { return nil }
        self.kind = kind
        self.verb = verb == .get && !hasID ? .list : verb
    }
}
