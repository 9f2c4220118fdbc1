import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// The ID token of Facebook's OpenID Connect: of Limited Login, and of the manual flow with the scope `openid`. (Meta for Developers, "OIDC
/// Token with Manual Flow", "Validating an OIDC Token".)
struct FacebookIDToken {
    let visit: Visit
    let approval: Approval
    /// The version of the request; the app's own if it is `nil`.
    let version: GraphVersion?

    /// The scope with which an app requests ID tokens.
    static let scope = "openid"

    /// The lifetime in seconds.
    private static let lifetime: Int64 = 3600

    /// A claim about the user.
    private struct PersonClaim {
        var name: String
        /// The claim of the person with the value.
        var source: String
        var permission: String
    }

    private static let personClaims = [
        PersonClaim(name: "email", source: "email", permission: "email"),
        PersonClaim(name: "given_name", source: "given_name", permission: "public_profile"),
        PersonClaim(name: "middle_name", source: "middle_name", permission: "public_profile"),
        PersonClaim(name: "family_name", source: "family_name", permission: "public_profile"),
        PersonClaim(name: "name", source: "name", permission: "public_profile"),
        PersonClaim(name: "picture", source: "picture", permission: "public_profile"),
        PersonClaim(name: "user_birthday", source: "birthdate", permission: "user_birthday"),
        PersonClaim(name: "user_gender", source: "gender", permission: "user_gender"),
        PersonClaim(name: "user_link", source: "profile", permission: "user_link"),
    ]

    /// Returns the signed token.
    /// - Parameter accessToken: the access token that `at_hash` covers, if one is issued with it.
    func text(accessToken: String?) async throws -> String {
        let now = visit.cloud.clock.now.seconds
        let id = approval.client.facebookID(of: approval.person, version: version)
        var claims: JSONObject = [
            "iss": .string(FacebookMetadata(visit: visit).issuer), "aud": .string(approval.client.id), "sub": .string(id),
            "iat": .integer(now), "exp": .integer(now + Self.lifetime), "jti": .string(try randomBytes(16).hex),
        ]
        if let nonce = approval.nonce { claims["nonce"] = .string(nonce) }
        if let accessToken { claims["at_hash"] = .string(JSONWebToken.accessTokenHash(accessToken, algorithm: .rs256)) }
        for claim in Self.personClaims where approval.scopes.contains(claim.permission) {
            claims[claim.name] = approval.person.claims[claim.source]
        }
        if claims["picture"] == nil, approval.scopes.contains("public_profile") {
            let size = try GraphPicture.Size(["type": "normal"])
            claims["picture"] = GraphPicture(visit: visit, person: approval.person, id: id, size: size).data["url"]
        }
        let key = try await visit.mint.signingKey(
            of: visit.provider, algorithm: .rs256, client: approval.client, person: approval.person)
        return try JSONWebToken.sign(claims: claims, key: key)
    }
}

/// Facebook's discovery document and keys. (Meta for Developers, "Validating an OIDC Token".)
struct FacebookMetadata {
    let visit: Visit

    static let path = WellKnownPath.openIDConfiguration
    static let keySetPath = "/.well-known/oauth/openid/jwks"
    /// The keys as certificates in PEM, which the SDK for iOS reads at `limited.facebook.com`.
    static let certificatesPath = "/.well-known/oauth/openid/certs"

    /// The issuer in ID tokens: the host of the real service that is addressed, or Facebook's provider here.
    var issuer: String {
        guard visit.basePath.isEmpty else { return visit.baseURL }
        return visit.call.host == Self.limitedHost ? "https://\(Self.limitedHost)" : "https://www.facebook.com"
    }

    private static let limitedHost = "limited.facebook.com"

    var document: JSONObject {
        let dialog = visit.basePath.isEmpty ? issuer.replacing("www.", with: "") : issuer
        return [
            "issuer": .string(issuer), "authorization_endpoint": .string(dialog + "/dialog/oauth/"),
            "jwks_uri": .string(issuer + Self.keySetPath + "/"), "response_types_supported": ["id_token", "token id_token"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.rs256.rawValue)],
            "claims_supported": [
                "iss", "aud", "sub", "iat", "exp", "jti", "nonce", "at_hash", "name", "given_name", "middle_name", "family_name", "email",
                "picture", "user_birthday", "user_gender", "user_link",
            ],
        ]
    }

    /// Returns the keys as certificates, by `kid`.
    func certificates() async throws -> Response {
        try await CertificateSet(visit: visit, subject: "www.facebook.com").response()
    }
}
