package import Cloud
import Cryptography
package import Directory
import Tokens
package import WireFormats

/// The contents of a signed access token, for a client that acts for itself or for a person through a client.
package struct SignedAccess: Sendable {
    /// The identity provider that signs.
    package var provider: IdentityProvider
    /// The client that gets the token.
    package var client: Client
    /// The person; `nil` for a client that acts for itself.
    package var person: Person?
    /// The granted scopes.
    package var scopes: [String]
    /// When the person or the client was authenticated.
    package var authenticated: Timestamp
    /// The `sid` of the browser session, if there was one.
    package var sessionID: String?
    /// The thumbprint of the key that the token is bound to, if any (RFC 9449 section 6.1).
    package var keyThumbprint: String?
    /// The requested audiences (RFC 8693 section 2.1); if there are none, the clients of which the person has a role.
    package var audiences: [String] = []
    /// The actor on behalf of the person (RFC 8693 section 4.1).
    package var actor: JSONObject?
    /// The claims that the application requested from userinfo (OpenID Connect Core 1.0 section 5.5).
    package var claims = RequestedClaims()

    /// The lifetime of the token, in seconds.
    package var lifetime: Int { provider.accessTokenLifetime(for: audiences) }

    package init(provider: IdentityProvider, client: Client, person: Person? = nil, scopes: [String], authenticated: Timestamp) {
        self.provider = provider
        self.client = client
        self.person = person
        self.scopes = scopes
        self.authenticated = authenticated
    }

    /// Creates the access that a person has approved.
    package init(_ approval: Approval) {
        self.init(
            provider: approval.provider, client: approval.client, person: approval.person, scopes: approval.scopes,
            authenticated: approval.authenticated)
        sessionID = approval.sessionID
        keyThumbprint = approval.keyThumbprint
        audiences = approval.audiences
        actor = approval.actor
        claims = approval.claims
    }

    /// The person's identifier, or one derived from the client's name, because Keycloak gives each client a service account.
    package var subject: String {
        person.map { provider.subject(of: $0, for: client) }
            ?? provider.serviceAccountID(of: client)
    }

    /// The value of the claim `preferred_username`.
    package var userName: String {
        person.map { $0.claims["preferred_username"]?.stringValue ?? $0.name } ?? "service-account-\(client.id.lowercased())"
    }

    /// Returns a new UUID of version 4.
    /// - Throws: an error of the random generator.
    package static func newIdentifier() throws -> String { identifier(try randomBytes(16)) }

    /// Returns a UUID in the form of version 4 (RFC 9562).
    static func identifier(_ bytes: [UInt8]) -> String { KeycloakIdentifier.uuid(bytes) }
}

extension TokenMint {
    /// Returns a JWT access token with the claims of Keycloak's, and a grant. The caller must store the grant, so that the token can be
    /// looked up and revoked like an opaque one.
    /// (Keycloak, "Securing applications and services guide"; RFC 9068 requires less.)
    /// - Parameter issuer: the issuer as the client spells it.
    package func newSignedAccessToken(_ access: SignedAccess, issuer: String) async throws -> IssuedGrant {
        let provider = access.provider
        let now = cloud.clock.now
        let session = try access.sessionID ?? SignedAccess.identifier(randomBytes(16))
        let roles = access.clientRoles
        var claims: JSONObject = [
            "exp": .integer(now.seconds + Int64(access.lifetime)), "iat": .integer(now.seconds),
            "jti": .string(SignedAccess.identifier(try randomBytes(16))), "iss": .string(issuer),
            "aud": "", "sub": .string(access.subject), "typ": "Bearer", "azp": .string(access.client.id),
        ]
        if access.person != nil {
            claims["auth_time"] = .integer(cloud.clock.effective(access.authenticated).seconds)
            claims["session_state"] = .string(session)
            claims["sid"] = .string(session)
        }
        if let thumbprint = access.keyThumbprint { claims["cnf"] = ["jkt": .string(thumbprint)] }
        if access.audiences.isEmpty {
            let audiences = roles.audiences(without: access.client.id)
            // Keycloak omits the claim if there is none, and one is a string (RFC 7519 section 4.1.3).
            claims["aud"] =
                switch audiences.count {
                case 0: nil
                case 1: .string(audiences[0])
                default: .array(audiences.map { .string($0) })
                }
        } else {
            claims["aud"] = .array(access.audiences.map { .string($0) })
        }
        if let actor = access.actor { claims["act"] = .object(actor) }
        claims["acr"] = "1"
        claims["realm_access"] = access.roleClaims["realm_access"]
        claims["scope"] = .string(access.scopes.joined(separator: " "))
        claims["email_verified"] = false
        claims["preferred_username"] = .string(access.userName)
        if let person = access.person {
            for (name, value) in person.claims(for: access.scopes).members { claims[name] = value }
        } else {
            claims["client_id"] = .string(access.client.id)
            for (name, value) in (access.client.attributes ?? [:]).members { claims[name] = value }
        }
        claims["resource_access"] = .object(roles.claim)
        let mapped = provider.mappedClaims(in: .accessToken, for: access.client, person: access.person, audiences: access.audiences)
        for (name, value) in mapped.members { claims[name] = value }
        access.addMappedClaims(to: &claims, of: .accessToken)
        let key = try await signingKey(
            of: provider, algorithm: provider.signingAlgorithm ?? .rs256, client: access.client, person: access.person)
        let token = try JSONWebToken.sign(claims: claims, key: key)
        return IssuedGrant(access.grant(issued: now.seconds), token: token)
    }
}

extension SignedAccess {
    /// Returns the grant to store for the token.
    /// - Parameter issued: seconds since 1970.
    func grant(issued: Int64) -> Grant {
        var details: JSONObject = [
            "scope": .string(scopes.joined(separator: " ")), "authenticated": .integer(authenticated.milliseconds),
        ]
        if let sessionID { details["sid"] = .string(sessionID) }
        if let keyThumbprint { details["jkt"] = .string(keyThumbprint) }
        if !audiences.isEmpty { details["aud"] = .array(audiences.map { .string($0) }) }
        if let actor { details["act"] = .object(actor) }
        if !claims.isEmpty { details["claims"] = claims.json }
        return Grant(
            kind: .accessToken, provider: provider.name, client: client.id, person: person?.name ?? "",
            issued: Timestamp(seconds: issued), expires: Timestamp(seconds: issued + Int64(lifetime)), details: details)
    }
}
