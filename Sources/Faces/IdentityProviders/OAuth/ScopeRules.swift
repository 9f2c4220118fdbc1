import Calls
import Cloud
import Directory
import WireFormats

/// The decision on the scopes that a client requests (RFC 6749 section 3.3), for every grant.
///
/// A provider knows the scopes of OpenID Connect and those of its APIs, and for a client also those of its registration (RFC 7591 section
/// 2). A client with registered scopes may request those; another one may request all scopes of OpenID Connect, and of APIs that admit it.
struct ScopeRules {
    private let visit: Visit
    private let client: Client
    /// The scopes that the client has registered; `nil` if it has no list, which does not limit it. Some libraries send a blank list, which
    /// counts as none.
    private let registered: [String]?

    init(visit: Visit, client: Client) {
        self.visit = visit
        self.client = client
        let scopes = client.metadata.scope?.split(separator: " ").map { String($0) } ?? []
        registered = scopes.isEmpty ? nil : scopes
    }

    /// The reason why a request gets no scopes.
    struct Fault: Error {
        var explanation: String
    }

    /// The result of a request.
    struct Granted {
        /// The scopes, those of OpenID Connect first.
        var scopes: [String]
        /// The audiences of access tokens: those that were requested, or else the APIs that the scopes belong to.
        var audiences: [String]
    }

    private enum Standing {
        case allowed
        /// Allowed in a realm, and neither in tokens nor in responses.
        case unlisted
        case unregistered, unknown
        /// None of the APIs that have the scope admits the client.
        case withheld
    }

    private var provider: IdentityProvider { visit.provider }

    /// Returns what a request gets.
    /// - Parameters:
    ///   - text: the parameter `scope`; `nil` if the request has none.
    ///   - usual: the scopes of a request without any. In a realm, clients have them in any case.
    ///   - audiences: the requested audiences.
    func granted(_ text: String?, byDefault usual: [String], at audiences: [String]) throws(Fault) -> Granted {
        var named = try allowed(text, at: audiences)
        if visit.manners.addsDefaultScopes || text == nil { named += usual.filter { standing(of: $0) == .allowed } }
        let scopes = Self.ordered(provider.scopes(named, at: audiences))
        return Granted(scopes: scopes, audiences: audiences.isEmpty ? provider.audiences(ofScopes: scopes, for: client) : audiences)
    }

    /// The scopes that the client itself has without a request: those of its registration that do not describe people.
    var ownScopes: [String] { registered?.filter { !OpenIDConnectMetadata.scopes.contains($0) } ?? [] }

    /// Returns those of some scopes that the client may have.
    func permitted(_ scopes: [String]) -> [String] { scopes.filter { standing(of: $0) == .allowed } }

    /// Returns the requested scopes that the client may have.
    func allowed(_ text: String?, at audiences: [String]) throws(Fault) -> [String] {
        guard let text else { return [] }
        var named: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: " ")) {
            let name = String(Substring(part))
            let standing = standing(of: name)
            switch standing {
            case .allowed:
                guard !provider.scopes([name], at: audiences).isEmpty else {
                    throw Fault(explanation: "The scope \(name) belongs to an API that the request does not name.")
                }
                if !named.contains(name) { named.append(name) }
            case .unlisted: continue
            case .unknown where provider.unknownScopes == .ignore: continue
            case .unregistered, .unknown, .withheld: throw fault(standing, name, in: text)
            }
        }
        return named
    }

    private func standing(of name: String) -> Standing {
        let isUsual = OpenIDConnectMetadata.scopes.contains(name)
        let owners = isUsual ? [] : provider.apis(withScope: name)
        if !owners.isEmpty, !owners.contains(where: { $0.admits(client) }) { return .withheld }
        let isKnown = isUsual || !owners.isEmpty || visit.product?.hasScope(name) == true
        if registered?.contains(name) ?? isKnown { return .allowed }
        if visit.manners.hasUnlistedScopes, RealmScopes.unlisted.contains(name) { return .unlisted }
        return isKnown ? .unregistered : .unknown
    }

    private func fault(_ standing: Standing, _ name: String, in text: String) -> Fault {
        // Keycloak has one text for all, which quotes the whole parameter.
        if visit.manners.quotesScopes { return Fault(explanation: "Invalid scopes: \(text)") }
        return switch standing {
        case .unregistered: Fault(explanation: "The client is not registered for the scope \(name).")
        case .withheld: Fault(explanation: "The API of the scope \(name) does not admit the client.")
        case .allowed, .unlisted, .unknown:
            Fault(explanation: "The scope \(name) is unknown: no API has it, and the client is not registered for it.")
        }
    }

    /// Returns scopes without repetitions, those of OpenID Connect first and in their order.
    private static func ordered(_ scopes: [String]) -> [String] {
        let usual = OpenIDConnectMetadata.scopes
        var ordered = usual.filter { name in scopes.contains(name) }
        for name in scopes where !ordered.contains(name) { ordered.append(name) }
        return ordered
    }
}
