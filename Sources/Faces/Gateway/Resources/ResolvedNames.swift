import ServiceModels
import WireFormats

/// The texts that policies see of resources which only the service knows.
struct ResolvedNames: Sendable {
    private var found: [(resource: ResourceName, text: String)] = []

    /// Returns whether a resource is known, or was looked up.
    func contains(_ resource: ResourceName) -> Bool {
        if case .known = resource { return true }
        return found.contains { $0.resource == resource }
    }

    /// The number of resources that were looked up.
    var count: Int { found.count }

    mutating func add(_ resource: ResourceName, _ text: String) { found.append((resource, text)) }

    /// Returns the text of a resource.
    func text(of resource: ResourceName) -> String {
        switch resource {
        case .known(let text): text
        case .keyOfAlias(let alias): found.first { $0.resource == resource }?.text ?? alias
        case .secret(let arn, _): found.first { $0.resource == resource }?.text ?? arn
        }
    }
}
