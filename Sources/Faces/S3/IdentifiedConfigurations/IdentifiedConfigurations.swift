import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// The configurations of one kind in a bucket.
struct IdentifiedConfigurations: Sendable {
    /// The configurations by identifier.
    var byID: [String: XMLElement] = [:]

    /// The maximum number of configurations of one kind. (S3 API Reference, PutBucketInventoryConfiguration, `TooManyConfigurations`.)
    private static let limit = 1000

    init() {}

    /// Reads the configurations of one kind from a bucket's configuration.
    init(of kind: ConfigurationKind, in configuration: BucketConfiguration) throws {
        if let text = configuration.documents[kind.descriptor.document] { try self.init(stored: text) } else { self.init() }
    }

    /// Parses ``text``.
    init(stored text: String) throws {
        for element in try XMLElement(parsing: Array(text.utf8)).children {
            if let id = element.child("Id")?.text { byID[id] = element }
        }
    }

    /// The text to store; `nil` if there are no configurations.
    var text: String? {
        guard !byID.isEmpty else { return nil }
        var xml = XMLWriter()
        xml.element("Configurations") { xml in for (_, element) in sorted { element.encode(into: &xml) } }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// The configurations in the order of the identifiers' bytes.
    var sorted: [(id: String, element: XMLElement)] {
        byID.map { (id: $0.key, element: $0.value) }.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Rejects a new configuration if the bucket has the maximum number.
    /// - Throws: `TooManyConfigurations`.
    func checkRoom(for id: String) throws(S3Error) {
        guard byID[id] != nil || byID.count < Self.limit else { throw S3Error(.tooManyConfigurations) }
    }
}
