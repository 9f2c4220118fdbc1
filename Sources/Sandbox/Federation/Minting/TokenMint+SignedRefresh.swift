package import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

extension TokenMint {
    /// Returns a refresh token in the form of Keycloak's, a JWT whose claims Keycloak's JavaScript adapter reads, and a grant that the
    /// caller must store.
    ///
    /// As for opaque tokens, only the stored grant determines its validity. Its signature is never verified, so the secret is discarded.
    /// - Parameter issuer: the issuer as the client spells it.
    package func newSignedRefreshToken(_ approval: Approval, issuer: String) throws -> IssuedGrant {
        var issued = try newRefreshToken(approval)
        var claims: JSONObject = [
            "exp": .integer(issued.grant.expires.seconds), "iat": .integer(issued.grant.issued.seconds),
            "jti": .string(SignedAccess.identifier(try randomBytes(16))), "iss": .string(issuer), "aud": .string(issuer),
            "sub": .string(approval.subject), "typ": approval.scopes.contains("offline_access") ? "Offline" : "Refresh",
            "azp": .string(approval.client.id),
        ]
        if let session = approval.sessionID { claims["sid"] = .string(session) }
        claims["scope"] = .string(approval.scopes.joined(separator: " "))
        issued.token = try JSONWebToken.sign(claims: claims, secret: randomBytes(64), algorithm: .hs512)
        return issued
    }
}
