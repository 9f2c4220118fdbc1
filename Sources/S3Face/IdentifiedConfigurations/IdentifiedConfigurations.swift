import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// The configurations of one kind that a bucket has.
struct IdentifiedConfigurations: Sendable {
    /// By identifier.
    var byID: [String: XMLElement] = [:]

    /// A bucket has no more of one kind. (S3 API Reference, PutBucketInventoryConfiguration, `TooManyConfigurations`.)
    private static let limit = 1000

    init() {}

    /// Those that a bucket's configuration holds.
    init(of kind: ConfigurationKind, in configuration: BucketConfiguration) throws {
        if let text = configuration.documents[kind.descriptor.document] { try self.init(stored: text) } else { self.init() }
    }

    /// Reads what ``text`` has written.
    init(stored text: String) throws {
        for element in try XMLElement(parsing: Array(text.utf8)).children {
            if let id = element.child("Id")?.text { byID[id] = element }
        }
    }

    /// What the store keeps; `nil` if nothing is left.
    var text: String? {
        guard !byID.isEmpty else { return nil }
        var xml = XMLWriter()
        xml.element("Configurations") { xml in for (_, element) in sorted { element.encode(into: &xml) } }
        return String(decoding: xml.bytes, as: UTF8.self)
    }

    /// In the order of the identifiers' bytes.
    var sorted: [(id: String, element: XMLElement)] {
        byID.map { (id: $0.key, element: $0.value) }.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Refuses one more than a bucket can have.
    /// - Throws: `TooManyConfigurations`.
    func checkRoom(for id: String) throws(S3Error) {
        guard byID[id] != nil || byID.count < Self.limit else { throw S3Error(.tooManyConfigurations) }
    }
}
