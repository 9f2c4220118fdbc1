import Cloud
import ObjectServing
import ObjectStore

/// A kind of configuration that a bucket can have many of, told apart by identifiers.
/// (S3 API Reference, "InventoryConfiguration", "AnalyticsConfiguration", "MetricsConfiguration", "IntelligentTieringConfiguration".)
enum ConfigurationKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case analytics
    case intelligentTiering = "intelligent-tiering"
    case inventory
    case metrics

    /// As operations and elements spell it.
    var name: String {
        switch self {
        case .analytics: "Analytics"
        case .intelligentTiering: "IntelligentTiering"
        case .inventory: "Inventory"
        case .metrics: "Metrics"
        }
    }

    /// The element that stands around one configuration.
    var root: String { "\(name)Configuration" }

    /// The element that stands around a listing.
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

    /// Deleting takes it too.
    var writeAction: S3Action {
        switch self {
        case .analytics: .putAnalyticsConfiguration
        case .intelligentTiering: .putIntelligentTieringConfiguration
        case .inventory: .putInventoryConfiguration
        case .metrics: .putMetricsConfiguration
        }
    }

    /// What the published schema has inside one configuration.
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

    /// - Parameter name: of an operation as the table of sub-resources has it.
    /// - Parameter namesOne: whether the request has an identifier; without one, getting is listing.
    init?(named name: String, namesOne: Bool) {
        guard let kind = ConfigurationKind.allCases.first(where: { name.hasSuffix("Bucket\($0.root)") }),
            let verb = Verb(rawValue: String(name.dropLast("Bucket\(kind.root)".count)))
        else { return nil }
        self.kind = kind
        self.verb = verb == .get && !namesOne ? .list : verb
    }
}
