package import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

extension TokenMint {
    /// A refresh token in the form of Keycloak's, a JWT, whose claims its script for browsers reads. What it is worth is in the record, as of
    /// the opaque ones: nobody verifies it, and its secret is forgotten at once. It is yet to be kept.
    /// - Parameter issuer: how the asker spells the issuer.
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
