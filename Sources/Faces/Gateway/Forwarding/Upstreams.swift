import Federation
package import ServiceModels
import WireFormats

/// Which services are forwarded, and to where.
package struct Upstreams: Sendable {
    /// The URLs by the services' names in credential scopes.
    private var urls: TextDictionary<String> = [:]
    /// The names of the services in credential scopes, by their names in policies, the prefixes of their targets and the versions of their
    /// Query protocol.
    private var names: TextDictionary<String> = [:]
    /// The services that a rule names.
    private var named: TextDictionary<Bool> = [:]
    /// The URL of the rule for all other services.
    private var others: String?

    /// Forwards nothing.
    package init() {}

    /// Whether no service is forwarded.
    package var isEmpty: Bool { urls.isEmpty }

    /// The URLs, each once.
    package var all: [String] {
        var found: [String] = []
        for url in urls.values where !found.contains(url) { found.append(url) }
        return found.sorted()
    }

    /// The services of each URL, such as `sns, sqs to http://127.0.0.1:5000`, in order.
    package var descriptions: [String] {
        all.map { url in "\(services(at: url).joined(separator: ", ")) to \(url)" }
    }

    /// Returns the names in credential scopes of the services that go to a URL, in order.
    package func services(at url: String) -> [String] { urls.filter { $0.value == url }.map(\.key).sorted() }

    /// Returns the URL to which calls of a service go; `nil` if it is not forwarded.
    /// - Parameter name: the name in credential scopes.
    package func url(signing name: String) -> String? { urls[name] }

    /// Returns the name in credential scopes of a forwarded service; `nil` if it is not forwarded.
    /// - Parameter mark: its name in credential scopes or in policies, the text before the dot in `X-Amz-Target`, or the `Version` of the
    ///   Query protocol.
    package func service(marked mark: String) -> String? { urls[mark] == nil ? names[mark] : mark }

    /// Adds a rule such as `sqs,dynamodb=http://127.0.0.1:5000`. The services are named as in policies or as in credential scopes; `*` means
    /// all that no other rule names.
    package mutating func add(_ rule: String, table: ServiceTable = .builtIn) throws(UpstreamError) {
        guard let equals = rule.firstIndex(of: "=") else { throw .noURL(rule) }
        let url = String(rule[equals...].dropFirst())
        guard let origin = Origin(url: url), origin.path.isEmpty || origin.path == "/", !origin.host.isEmpty else {
            throw .malformedURL(url)
        }
        let root = url.hasSuffix("/") ? String(url.dropLast()) : url
        for name in rule[..<equals].split(separator: ",", omittingEmptySubsequences: false).map({ String($0) }) {
            if name == "*" {
                guard others == nil else { throw .repeatedService(name) }
                others = root
                for service in table.all where urls[service.signingName] == nil { forward(service, to: root) }
                continue
            }
            if Self.own.contains(name) { throw .ownService(name) }
            guard let service = table.service(signing: name) ?? table.service(prefix: name) else { throw .unknownService(name) }
            // A rule for the service replaces that for all others, in whichever order they are.
            guard named[service.signingName] == nil else { throw .repeatedService(name) }
            named[service.signingName] = true
            forward(service, to: root)
        }
    }

    private mutating func forward(_ service: ServiceModel, to root: String) {
        urls[service.signingName] = root
        for mark in [service.name, service.targetPrefix, service.version] {
            if let mark { names[mark] = service.signingName }
        }
    }

    /// The services that Virga decides itself: an upstream's answers would contradict it.
    private static let own = ["iam", "organizations", "s3", "sts"]
}

/// Why a rule is not accepted.
package enum UpstreamError: Error, Equatable, Sendable {
    /// The rule has no `=`.
    case noURL(String)
    /// The URL is not one, or has a path.
    case malformedURL(String)
    /// Virga serves the service itself.
    case ownService(String)
    /// The permissions of the service are not known.
    case unknownService(String)
    /// Two rules name the service.
    case repeatedService(String)

    /// The message, which ends a start.
    package var message: String {
        switch self {
        case .noURL(let rule): "--forward must be SERVICES=URL, such as sqs,sns=http://127.0.0.1:5000, not \(rule)."
        case .malformedURL(let url): "--forward needs a URL without a path that begins with http:// or https://, not \(url)."
        case .ownService(let name): "--forward cannot forward \(name), because Virga serves it. Remove it from the services."
        case .repeatedService(let name): "--forward names \(name) twice."
        case .unknownService(let name):
            "--forward does not know which permissions the calls of \(name) need. It knows \(Self.known)."
        }
    }

    private static var known: String { ServiceTable.builtIn.all.map(\.name).sorted().joined(separator: ", ") }
}
