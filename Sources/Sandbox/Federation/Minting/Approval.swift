package import Cloud
package import Directory
package import WireFormats

/// A person's approval of a client: who logged in, when, for which client, and what they consented to. Every token is issued from one.
package struct Approval: Sendable {
    /// The identity provider at which the person logged in.
    @Shared package var provider: IdentityProvider
    /// The application that the person approved.
    @Shared package var client: Client
    /// The person.
    @Shared package var person: Person
    /// The granted scopes, as the provider names them; empty if none were requested.
    package var scopes: [String]
    /// The nonce of the request, copied into the ID token (OpenID Connect Core 1.0 section 3.1.2.1).
    package var nonce: String?
    /// The time of the login when it happened; the sandbox's clock converts it to the effective time.
    package var authenticated: Timestamp
    /// The `sid` of the browser session, if there was one (OpenID Connect Back-Channel Logout 1.0 section 2.1).
    package var sessionID: String?
    /// The thumbprint of the key that the tokens are bound to (RFC 9449 section 6); `nil` for bearer tokens.
    package var keyThumbprint: String?
    /// The audiences of access tokens: resources by URI (RFC 8707 section 2), and clients by name (RFC 8693 section 2.1).
    package var audiences: [String] = []
    /// The actor on behalf of the person, as in the claim `act` (RFC 8693 section 4.1).
    package var actor: JSONObject?
    /// The claims requested beyond the scopes.
    package var claims = RequestedClaims()
    /// The `acr` of the login, if the application requested one.
    package var authenticationContext: String?

    /// The `sub` of the issued tokens.
    package var subject: String { provider.subject(of: person, for: client) }

    /// The lifetime of access tokens, in seconds.
    package var accessTokenLifetime: Int { provider.accessTokenLifetime(for: audiences) }

    /// Returns the claims that the mappings of the client and of the APIs add.
    package func mappedClaims(in place: ClaimMapping.Place) -> JSONObject {
        provider.mappedClaims(in: place, for: client, person: person, audiences: audiences)
    }

    package init(
        provider: IdentityProvider, client: Client, person: Person, scopes: [String], nonce: String? = nil,
        authenticated: Timestamp, sessionID: String? = nil
    ) {
        _provider = Shared(wrappedValue: provider)
        _client = Shared(wrappedValue: client)
        _person = Shared(wrappedValue: person)
        self.scopes = scopes
        self.nonce = nonce
        self.authenticated = authenticated
        self.sessionID = sessionID
    }

    /// Restores the approval from an issued grant; `nil` if its client or person no longer exists.
    package init?(_ grant: Grant, at provider: IdentityProvider) {
        guard let client = provider.client(grant.client), let person = provider.person(named: grant.person) else { return nil }
        let scope = grant.details["scope"]?.stringValue ?? ""
        self.init(
            provider: provider, client: client, person: person, scopes: scope.split(separator: " ").map(String.init),
            nonce: grant.details["nonce"]?.stringValue,
            authenticated: grant.details["authenticated"]?.integerValue.map(Timestamp.init(milliseconds:)) ?? grant.issued,
            sessionID: grant.details["sid"]?.stringValue)
        keyThumbprint = grant.details["jkt"]?.stringValue
        audiences = grant.details["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
        actor = grant.details["act"]?.objectValue
        claims = RequestedClaims(grant.details["claims"])
        authenticationContext = grant.details["acr"]?.stringValue
    }

    /// The details that a grant stores beside client and person.
    package var details: JSONObject {
        var details: JSONObject = [
            "scope": .string(scopes.joined(separator: " ")), "authenticated": .integer(authenticated.milliseconds),
        ]
        if let nonce { details["nonce"] = .string(nonce) }
        if let sessionID { details["sid"] = .string(sessionID) }
        if let keyThumbprint { details["jkt"] = .string(keyThumbprint) }
        if !audiences.isEmpty { details["aud"] = .array(audiences.map { .string($0) }) }
        if let actor { details["act"] = .object(actor) }
        if !claims.isEmpty { details["claims"] = claims.json }
        if let authenticationContext { details["acr"] = .string(authenticationContext) }
        return details
    }
}
