package import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

extension TokenMint {
    /// Returns a JWT access token (RFC 9068) with a grant. The caller must store the grant, so that the token can be looked up and revoked
    /// like an opaque one.
    /// - Parameter issuer: the issuer as the client spells it.
    package func newJWTAccessToken(_ approval: Approval, issuer: String) async throws -> IssuedGrant {
        var issued = try newAccessToken(approval)
        let grant = issued.grant
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": Self.audience(approval.audiences, issuer: issuer), "sub": .string(approval.subject),
            "client_id": .string(approval.client.id),
            "iat": .integer(grant.issued.seconds), "exp": .integer(grant.expires.seconds),
            "jti": .string(try randomBytes(16).base64url),
            "auth_time": .integer(cloud.clock.effective(approval.authenticated).seconds),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if let context = approval.authenticationContext { claims["acr"] = .string(context) }
        if let thumbprint = approval.keyThumbprint { claims["cnf"] = ["jkt": .string(thumbprint)] }
        if let actor = approval.actor { claims["act"] = .object(actor) }
        try approval.provider.product?.completeAccessToken(&claims, of: approval, issuer: issuer)
        let further = approval.provider.accessClaims(for: approval.client, person: approval.person, audiences: approval.audiences)
        for (name, value) in further.members { claims[name] = value }
        let key = try await signingKey(
            of: approval.provider, algorithm: approval.provider.signingAlgorithm ?? .rs256, client: approval.client,
            person: approval.person)
        issued.token = try JSONWebToken.sign(header: ["typ": "at+jwt"], claims: claims, key: key)
        return issued
    }

    /// Returns a JWT access token for a client that acts for itself: the subject is the client (section 2.2), and there was no login. AWS
    /// STS compares the `azp`, so that a service can assume roles with its own token.
    package func newJWTAccessToken(ofClient access: SignedAccess, issuer: String) async throws -> IssuedGrant {
        let grant = access.grant(issued: cloud.clock.now.seconds)
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": Self.audience(access.audiences, issuer: issuer), "sub": .string(access.client.id),
            "client_id": .string(access.client.id), "azp": .string(access.client.id),
            "iat": .integer(grant.issued.seconds), "exp": .integer(grant.expires.seconds),
            "jti": .string(try randomBytes(16).base64url), "scope": .string(access.scopes.joined(separator: " ")),
        ]
        if let thumbprint = access.keyThumbprint { claims["cnf"] = ["jkt": .string(thumbprint)] }
        let further = access.provider.accessClaims(for: access.client, person: nil, audiences: access.audiences)
        for (name, value) in further.members { claims[name] = value }
        let key = try await signingKey(
            of: access.provider, algorithm: access.provider.signingAlgorithm ?? .rs256, client: access.client)
        return IssuedGrant(grant, token: try JSONWebToken.sign(header: ["typ": "at+jwt"], claims: claims, key: key))
    }

    /// Returns an opaque access token for a client that acts for itself, and a grant that the caller must store.
    /// - Throws: an error of the random generator.
    package func newOpaqueAccessToken(ofClient access: SignedAccess) throws -> IssuedGrant {
        IssuedGrant(
            access.grant(issued: cloud.clock.now.seconds),
            token: try OpaqueToken.accessToken(of: access.provider.kind, client: access.client))
    }

    /// Returns the audience. Without a requested resource it is the issuer, whose userinfo endpoint accepts the token (section 3).
    private static func audience(_ names: [String], issuer: String) -> JSONValue {
        let names = names.isEmpty ? [issuer] : names
        return names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
    }
}
