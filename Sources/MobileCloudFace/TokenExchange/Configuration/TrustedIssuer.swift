import Cloud
import Directory
import WireFormats

/// An issuer elsewhere, as the configuration has it. (Using Oracle Mobile Cloud Service, configuration reference, issuer object.)
struct TrustedIssuer: Sendable {
    var name: String
    var isEnabled: Bool
    /// One of which an `aud` must hold; empty for the addresses of this process.
    var audiences: [String]
    var enablesVirtualUsers: Bool
    /// The claim that names the user; absent for `sub`, or else `prn`.
    var usernameAttribute: String?
    /// Whether a client must prove itself, or need only name itself.
    var requiresClientAuthentication: Bool
    /// The claim that names the client at the issuer.
    var clientIDAttribute: String?
    /// Seconds that our tokens last; absent for the environment's.
    var tokenTimeout: Int?
    var timeoutPolicy: TokenTimeoutPolicy?
    var keys: KeySource
    /// All of which a token must satisfy.
    var filters: [ClaimFilter]
    /// Nothing for all backends.
    var allowedBackends: [AllowedBackend]?
    /// How a user of the realm is found.
    var userMapping: SignOnProvider.UserMapping
    var roles: RoleRules
    /// Given to virtual users whatever the token says.
    var issuerRoles: [String]

    /// Where the issuer's keys come from.
    enum KeySource: Hashable, Sendable {
        case nowhere
        case published(PublishedKeys)
        /// By the subject names of certificates.
        case certificates([String])
    }

    init(_ reader: ConfigurationReader, name: String) throws(ConfigurationFault) {
        self.name = name
        isEnabled = try reader.bool("enabled", or: true)
        audiences = try reader.texts("audience") ?? []
        enablesVirtualUsers = try reader.bool("virtualUserEnabled", or: false)
        usernameAttribute = try reader.text("usernameAttribute")
        requiresClientAuthentication = try reader.bool("requireClientAuth", or: true)
        clientIDAttribute = try reader.text("clientIdAttribute")
        tokenTimeout = try reader.seconds("tokenTimeoutSeconds", least: 1)
        timeoutPolicy = try reader.named("tokenTimeoutPolicy", as: TokenTimeoutPolicy.self)
        if let jwks = reader.value("jwks") {
            keys = .published(try PublishedKeys(ConfigurationReader(jwks, place: reader.place + ".jwks")))
        } else if let subjects = try reader.texts("certificateSubjectNames") {
            keys = .certificates(subjects)
        } else {
            keys = .nowhere
        }
        filters = try reader.list("filters")?.map(ClaimFilter.init) ?? []
        allowedBackends = try reader.list("allowedMbes")?.map(AllowedBackend.init)
        userMapping = try reader.named("userMappingAttribute", as: SignOnProvider.UserMapping.self) ?? .uid
        roles = try RoleRules(reader)
        issuerRoles = try reader.texts("issuerRoles") ?? []
    }

    /// Whether the issuer's tokens count for a backend.
    func allows(_ backend: MobileBackend) -> Bool { allowedBackends?.contains { $0.matches(backend) } ?? true }
}

/// A backend that an issuer's tokens may be used with.
enum AllowedBackend: Hashable, Sendable {
    case named(String, version: String)
    case client(id: String)
    /// An entry that says neither, or half of it: no backend matches.
    case malformed

    init(_ entry: JSONValue) {
        let (name, version, client) = (entry["name"]?.stringValue, entry["version"]?.stringValue, entry["clientId"]?.stringValue)
        switch (name, version, client) {
        case (let name?, let version?, nil): self = .named(name, version: version)
        case (nil, nil, let client?): self = .client(id: client)
        default: self = .malformed
        }
    }

    func matches(_ backend: MobileBackend) -> Bool {
        switch self {
        case .named(let name, let version): backend.name == name && backend.version == version
        case .client(let id): backend.clientID == id
        case .malformed: false
        }
    }
}
