import Cloud
import Directory
import WireFormats

/// An external issuer in the configuration. (Using Oracle Mobile Cloud Service, configuration reference, issuer object.)
struct TrustedIssuer: Sendable {
    var name: String
    var isEnabled: Bool
    /// The accepted audiences, of which `aud` must contain one; if empty, the URLs of this process.
    var audiences: [String]
    var enablesVirtualUsers: Bool
    /// The claim that names the user; if it is `nil`, `sub` or else `prn`.
    var usernameAttribute: String?
    /// Whether a client must authenticate; if not, its ID is sufficient.
    var requiresClientAuthentication: Bool
    /// The claim with the client's ID at the issuer.
    var clientIDAttribute: String?
    /// The lifetime of our tokens in seconds; if it is `nil`, that of the environment.
    var tokenTimeout: Int?
    var timeoutPolicy: TokenTimeoutPolicy?
    var keys: KeySource
    /// The filters, all of which a token must satisfy.
    var filters: [ClaimFilter]
    /// The backends that may use the issuer's tokens; `nil` for all.
    var allowedBackends: [AllowedBackend]?
    /// The property by which a user of the realm is found.
    var userMapping: SignOnProvider.UserMapping
    var roles: RoleRules
    /// Roles that every virtual user gets, in addition to those from the token.
    var issuerRoles: [String]

    /// The source of the issuer's keys.
    enum KeySource: Hashable, Sendable {
        case nowhere
        case published(PublishedKeys)
        /// The certificates with these subject names.
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

    /// Returns whether a backend may use the issuer's tokens.
    func allows(_ backend: MobileBackend) -> Bool { allowedBackends?.contains { $0.matches(backend) } ?? true }
}

/// A backend that may use an issuer's tokens.
enum AllowedBackend: Hashable, Sendable {
    case named(String, version: String)
    case client(id: String)
    /// An incomplete entry, which matches no backend.
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
