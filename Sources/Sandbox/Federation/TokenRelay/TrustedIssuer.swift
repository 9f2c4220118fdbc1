package import Directory
package import WireFormats

/// An external issuer in the configuration. (Using Oracle Mobile Cloud Service, configuration reference, issuer object.)
package struct TrustedIssuer: Sendable {
    /// The `iss` of the tokens.
    package var name: String
    /// Whether tokens are exchanged.
    package var isEnabled: Bool
    /// The accepted audiences, of which `aud` must contain one; if empty, the URLs of this process.
    package var audiences: [String]
    /// Whether users need no account.
    package var enablesVirtualUsers: Bool
    /// The claim that names the user; if it is `nil`, `sub` or else `prn`.
    package var usernameAttribute: String?
    /// Whether a client must authenticate; if not, its ID is sufficient.
    package var requiresClientAuthentication: Bool
    /// The claim with the client's ID at the issuer.
    package var clientIDAttribute: String?
    /// The lifetime of our tokens in seconds; if it is `nil`, that of the environment.
    package var tokenTimeout: Int?
    /// How the lifetime is determined; if it is `nil`, by the environment.
    package var timeoutPolicy: TokenTimeoutPolicy?
    /// The source of the issuer's keys.
    package var keys: KeySource
    /// The filters, all of which a token must satisfy.
    package var filters: [ClaimFilter]
    /// The backends that may use the issuer's tokens; `nil` for all.
    package var allowedBackends: [AllowedBackend]?
    /// The property by which a user of the realm is found.
    package var userMapping: SignOnProvider.UserMapping
    /// The rules for the user's roles.
    package var roles: RoleRules
    /// Roles that every virtual user gets, in addition to those from the token.
    package var issuerRoles: [String]

    /// The source of the issuer's keys.
    package enum KeySource: Hashable, Sendable {
        case nowhere
        case published(PublishedKeys)
        /// The certificates with these subject names.
        case certificates([String])
    }

    init(_ reader: ConfigurationReader, name: String) {
        self.name = name
        isEnabled = reader.bool("enabled", or: true)
        audiences = reader.texts("audience") ?? []
        enablesVirtualUsers = reader.bool("virtualUserEnabled", or: false)
        usernameAttribute = reader.text("usernameAttribute")
        requiresClientAuthentication = reader.bool("requireClientAuth", or: true)
        clientIDAttribute = reader.text("clientIdAttribute")
        tokenTimeout = reader.seconds("tokenTimeoutSeconds", least: 1)
        timeoutPolicy = reader.named("tokenTimeoutPolicy", as: TokenTimeoutPolicy.self)
        keys = KeySource(reader)
        filters = reader.list("filters")?.map(ClaimFilter.init) ?? []
        allowedBackends = reader.list("allowedMbes")?.map(AllowedBackend.init)
        userMapping = reader.named("userMappingAttribute", as: SignOnProvider.UserMapping.self) ?? .uid
        roles = RoleRules(reader)
        issuerRoles = reader.texts("issuerRoles") ?? []
        warn(reader)
    }

    /// Records what matches nothing.
    private func warn(_ reader: ConfigurationReader) {
        if !isEnabled { reader.warn("enabled", "The issuer is disabled: every exchange fails.") }
        for (index, filter) in (reader.value("filters")?.arrayValue ?? []).enumerated() {
            guard let defect = ClaimFilter.defect(of: filter) else { continue }
            reader.warn(
                "filters[\(index)]", "This filter is broken: \(defect). It matches nothing, so every token of the issuer is rejected.")
        }
        if allowedBackends?.isEmpty == true { reader.warn("allowedMbes", "The list is empty: no backend may use tokens of the issuer.") }
        for (index, backend) in (allowedBackends ?? []).enumerated() where backend == .malformed {
            reader.warn("allowedMbes[\(index)]", "needs name and version, or clientId alone. It matches no backend.")
        }
        if reader.value("jwks") == nil, keys == .nowhere || keys == .certificates([]) {
            reader.warn("jwks", "There are neither jwks nor certificateSubjectNames: no signature can be verified.")
        }
    }

    /// Returns whether a backend may use the issuer's tokens.
    package func allows(_ backend: MobileBackend) -> Bool { allowedBackends?.contains { $0.matches(backend) } ?? true }
}

/// A backend that may use an issuer's tokens.
package enum AllowedBackend: Hashable, Sendable {
    case named(String, version: String)
    case client(id: String)
    /// An incomplete entry, which matches no backend.
    case malformed

    /// Reads an entry of a configuration. One that is incomplete is ``malformed``.
    package init(_ entry: JSONValue) {
        let (name, version, client) = (entry["name"]?.stringValue, entry["version"]?.stringValue, entry["clientId"]?.stringValue)
        switch (name, version, client) {
        case (let name?, let version?, nil): self = .named(name, version: version)
        case (nil, nil, let client?): self = .client(id: client)
        default: self = .malformed
        }
    }

    /// Returns whether the entry is about a backend.
    package func matches(_ backend: MobileBackend) -> Bool {
        switch self {
        case .named(let name, let version): backend.name == name && backend.version == version
        case .client(let id): backend.clientID == id
        case .malformed: false
        }
    }
}

extension TrustedIssuer.KeySource {
    init(_ reader: ConfigurationReader) {
        if let jwks = reader.value("jwks") {
            let reader = ConfigurationReader(jwks, place: reader.place + ".jwks", reader.findings)
            self = reader.map { .published(PublishedKeys($0)) } ?? .nowhere
        } else {
            self = reader.texts("certificateSubjectNames").map { .certificates($0) } ?? .nowhere
        }
    }
}
