import WireFormats

/// An API whose access tokens an identity provider issues: a resource server (RFC 6749 section 1.1).
package struct ResourceServer: Hashable, Sendable, Codable {
    /// A scope of an API.
    package struct Scope: Hashable, Sendable, Codable {
        /// The name in requests and tokens.
        package var name: String
        /// What the scope allows, for the consent page; `nil` to show the name.
        package var text: String?

        package init(_ name: String, text: String? = nil) {
            self.name = name
            self.text = text
        }
    }

    /// The audience of the API's access tokens, and the value of `resource` (RFC 8707) and `audience` in requests.
    package var identifier: String
    /// The scopes of the API.
    package var scopes: [Scope]
    /// The identifiers of the clients that may ask for the API; `nil` for all clients.
    package var clients: [String]?
    /// The format of the API's access tokens; `nil` for that of the provider.
    package var tokenFormat: IdentityProvider.AccessTokenFormat?
    /// The lifetime of the API's access tokens, in seconds; `nil` for that of the provider.
    package var tokenLifetime: Int?
    /// The claims that the API wants in access tokens.
    package var claims: [ClaimMapping] = []

    package init(identifier: String, scopes: [Scope] = []) {
        self.identifier = identifier
        self.scopes = scopes
    }

    /// Returns whether the API has a scope.
    package func has(scope name: String) -> Bool { scopes.contains { $0.name == name } }

    /// Returns whether a client may ask for the API.
    package func admits(_ client: Client) -> Bool { clients.map { $0.contains(client.id) } ?? true }
}

extension IdentityProvider {
    /// What a provider does with a requested scope that it does not know.
    package enum UnknownScopes: String, Sendable, Codable, CaseIterable {
        /// The request fails with `invalid_scope` (RFC 6749 section 3.3).
        case refuse
        /// The scope is left out, as OpenID Connect Core 1.0 section 3.1.2.1 allows.
        case ignore
    }

    /// Returns the API with an identifier, or `nil` if there is none.
    package func api(_ identifier: String) -> ResourceServer? { apis.first { $0.identifier == identifier } }

    /// Returns the APIs that have a scope.
    package func apis(withScope name: String) -> [ResourceServer] { apis.filter { $0.has(scope: name) } }

    /// Returns the identifiers of the APIs that scopes belong to, without APIs that do not admit the client.
    package func audiences(ofScopes names: [String], for client: Client) -> [String] {
        apis.filter { api in api.admits(client) && names.contains { api.has(scope: $0) } }.map(\.identifier)
    }

    /// Returns the scopes that can be used at some audiences: those of their APIs, and those of no API.
    /// - Parameter audiences: if none of them is an API, all scopes can be used.
    package func scopes(_ names: [String], at audiences: [String]) -> [String] {
        let selected = audiences.compactMap { api($0) }
        if selected.isEmpty { return names }
        return names.filter { name in apis(withScope: name).isEmpty || selected.contains { $0.has(scope: name) } }
    }

    /// Returns the lifetime of access tokens for audiences, in seconds: the shortest one of their APIs.
    package func accessTokenLifetime(for audiences: [String]) -> Int {
        audiences.compactMap { api($0)?.tokenLifetime }.min() ?? tokenLifetime
    }

    /// Returns the format of access tokens that the first API among some audiences has; `nil` if none has one.
    package func ownAccessTokenFormat(ofAPIs audiences: [String]) -> AccessTokenFormat? {
        audiences.compactMap { api($0)?.tokenFormat }.first
    }

    /// Returns the format of access tokens for people and audiences.
    package func accessTokenFormat(for audiences: [String]) -> AccessTokenFormat {
        ownAccessTokenFormat(ofAPIs: audiences) ?? accessTokenFormat ?? .opaque
    }
}
