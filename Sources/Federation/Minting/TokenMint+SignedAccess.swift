package import Cloud
import Cryptography
package import Directory
import Tokens
package import WireFormats

/// Whom a signed access token is for: a client that acts for itself, or a person through a client.
package struct SignedAccess: Sendable {
    /// The identity provider that signs.
    package var provider: IdentityProvider
    /// The client that gets the token.
    package var client: Client
    /// Nothing for a client that acts for itself.
    package var person: Person?
    /// The granted scopes.
    package var scopes: [String]
    /// When the person or the client was authenticated.
    package var authenticated: Timestamp
    /// The `sid` of the browser session, where there was one.
    package var sessionID: String?
    /// Of the key that the token is bound to, where it is bound to one (RFC 9449 section 6.1).
    package var keyThumbprint: String?
    /// Whom it is for; Keycloak's own account service where nobody was asked for (RFC 8693 section 2.1).
    package var audiences: [String] = []
    /// Who acts for the person (RFC 8693 section 4.1).
    package var actor: JSONObject?
    /// The claims that the application asked to find at userinfo (OpenID Connect Core 1.0 section 5.5).
    package var claims = RequestedClaims()

    package init(provider: IdentityProvider, client: Client, person: Person? = nil, scopes: [String], authenticated: Timestamp) {
        self.provider = provider
        self.client = client
        self.person = person
        self.scopes = scopes
        self.authenticated = authenticated
    }

    /// The access that a person has approved.
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

    /// The person's identifier, or one made of the client's name, as Keycloak gives clients an account of their own.
    package var subject: String {
        person.map { provider.subject(of: $0, for: client) }
            ?? Self.identifier(Array(SHA256.hash("service account \(provider.name) \(client.id)")))
    }

    /// The name for the claim `preferred_username`.
    package var userName: String {
        person.map { $0.claims["preferred_username"]?.stringValue ?? $0.name } ?? "service-account-\(client.id.lowercased())"
    }

    /// A UUID of version 4's form (RFC 9562).
    static func identifier(_ bytes: [UInt8]) -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.hex
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}

extension TokenMint {
    /// An access token that says what it is for: a JWT with the claims of Keycloak's. It is yet to be kept, as a grant like the opaque
    /// ones, so that it can be looked up and revoked as they are.
    /// (Keycloak, "Securing applications and services guide"; RFC 9068 asks for less.)
    /// - Parameter issuer: how the asker spells the issuer.
    package func newSignedAccessToken(_ access: SignedAccess, issuer: String) async throws -> IssuedGrant {
        let provider = access.provider
        let now = cloud.clock.now
        let session = try access.sessionID ?? SignedAccess.identifier(randomBytes(16))
        var claims: JSONObject = [
            "exp": .integer(now.seconds + Int64(provider.tokenLifetime)), "iat": .integer(now.seconds),
            "jti": .string(SignedAccess.identifier(try randomBytes(16))), "iss": .string(issuer), "aud": "account",
            "sub": .string(access.subject), "typ": "Bearer", "azp": .string(access.client.id),
        ]
        if access.person != nil {
            claims["auth_time"] = .integer(cloud.clock.effective(access.authenticated).seconds)
            claims["session_state"] = .string(session)
            claims["sid"] = .string(session)
        }
        if let thumbprint = access.keyThumbprint { claims["cnf"] = ["jkt": .string(thumbprint)] }
        if !access.audiences.isEmpty { claims["aud"] = .array(access.audiences.map { .string($0) }) }
        if let actor = access.actor { claims["act"] = .object(actor) }
        claims["acr"] = "1"
        claims["realm_access"] = ["roles": .array([.string("default-roles-\(provider.name)"), "offline_access", "uma_authorization"])]
        claims["resource_access"] = ["account": ["roles": ["manage-account", "manage-account-links", "view-profile"]]]
        claims["scope"] = .string(access.scopes.joined(separator: " "))
        claims["email_verified"] = false
        claims["preferred_username"] = .string(access.userName)
        if let person = access.person {
            for (name, value) in person.claims(for: access.scopes).members { claims[name] = value }
        } else {
            claims["client_id"] = .string(access.client.id)
        }
        let key = try await cloud.signingKey(for: provider.name, algorithm: provider.signingAlgorithm ?? .rs256)
        let token = try JSONWebToken.sign(claims: claims, key: key)
        return IssuedGrant(access.grant(issued: now.seconds), token: token)
    }
}

extension SignedAccess {
    /// What is kept of the token.
    /// - Parameter issued: seconds.
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
            issued: Timestamp(seconds: issued), expires: Timestamp(seconds: issued + Int64(provider.tokenLifetime)), details: details)
    }
}
