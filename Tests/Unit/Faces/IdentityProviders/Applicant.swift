import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// An application with its own keys, registered at the company's provider.
struct Applicant {
    static let tokenURL = "\(Visitor.origin)/idp/company/token"

    let id: String
    let secret: String?
    let key: SigningKey

    init(id: String = "app", secret: String? = "a secret of the application, with 256 bits", algorithm: SignatureAlgorithm = .es256) throws
    {
        self.id = id
        self.secret = secret
        key = try SigningKey.generate(algorithm: algorithm, created: Timestamp.now())
    }

    /// The parameters that authenticate the application by its secret.
    var credentials: FormFields {
        var form: FormFields = ["client_id": id]
        if let secret { form.set("client_secret", secret) }
        return form
    }

    var jwks: JSONObject {
        get throws { ["keys": [.object(try key.jsonWebKey.json)]] }
    }

    /// Adds it to the clients of the company's provider.
    func register(at cloud: Cloud, grants: [FurtherGrant] = FurtherGrant.allCases, change: (inout ClientMetadata) throws -> Void = { _ in })
        async throws
    {
        var client = Client(
            id: id, secret: secret, name: id, redirectURIs: [Visitor.redirectURI], applicationID: nil, furtherGrants: grants)
        try change(&client.metadata)
        let registered = client
        try await cloud.edit { $0.put(registered, at: "company") }
    }

    /// An assertion of the application (RFC 7523 section 3), with further claims of the test.
    func assertion(_ further: JSONObject = [:], without: String? = nil, key other: SigningKey? = nil, header: JSONObject = ["typ": "JWT"])
        throws -> String
    {
        let now = Timestamp.now().seconds
        var claims: JSONObject = [
            "iss": .string(id), "sub": .string(id), "aud": .string(Self.tokenURL), "iat": .integer(now), "exp": .integer(now + 3600),
            "jti": .string(try randomBytes(16).hex),
        ]
        for (name, value) in further.members { claims[name] = value }
        if let without { claims[without] = nil }
        return try JSONWebToken.sign(header: header, claims: claims, key: other ?? key)
    }

    /// An assertion with an HMAC by a secret, as in `client_secret_jwt` (OpenID Connect Core 1.0 section 9).
    func assertion(secret: String) throws -> String {
        let now = Timestamp.now().seconds
        let claims: JSONObject = [
            "iss": .string(id), "sub": .string(id), "aud": .string(Self.tokenURL), "iat": .integer(now), "exp": .integer(now + 3600),
            "jti": .string(try randomBytes(16).hex),
        ]
        return try JSONWebToken.sign(claims: claims, secret: Array(secret.utf8))
    }

    static func form(asserting assertion: String) -> FormFields {
        [
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer", "client_assertion": assertion,
            "grant_type": "client_credentials",
        ]
    }

    /// A proof that it has its key (RFC 9449 section 4.2).
    func proof(
        _ method: HTTPRequest.Method = .post, url: String = tokenURL, accessToken: String? = nil,
        claims further: JSONObject = [:], header: JSONObject = [:]
    ) throws -> String {
        var claims: JSONObject = [
            "jti": .string(try randomBytes(16).hex), "htm": .string(method.rawValue), "htu": .string(url),
            "iat": .integer(Timestamp.now().seconds),
        ]
        if let accessToken { claims["ath"] = .string(SHA256.hash(accessToken).base64url) }
        for (name, value) in further.members { claims[name] = value }
        var jwk = try key.jsonWebKey.json
        for name in ["use", "alg", "kid"] { jwk[name] = nil }
        var fields: JSONObject = ["typ": "dpop+jwt", "jwk": .object(jwk)]
        for (name, value) in header.members { fields[name] = value }
        return try JSONWebToken.sign(header: fields, claims: claims, key: key)
    }

    var thumbprint: String {
        get throws { try key.jsonWebKey.thumbprint }
    }

    /// The tokens of alice after a login.
    func tokens(_ visitor: Visitor, scope: String = "openid profile offline_access", headers: HTTPFields = [:]) async throws -> Answer {
        var request = Requests.company.with(["client_id": id, "scope": scope, "nonce": "n-1"])
        request.set("code_challenge", Requests.challenge)
        request.set("code_challenge_method", "S256")
        let code = try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
        let form: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "code_verifier": Requests.verifier,
        ]
        return try await visitor.post("company/token", form.with(credentials), headers: headers)
    }
}

extension Answer {
    var accessToken: String { json["access_token"]?.stringValue ?? "" }
    var refreshToken: String { json["refresh_token"]?.stringValue ?? "" }
    var error: String? { json["error"]?.stringValue }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name(literal: "DPoP")
    static let dpopNonce = HTTPField.Name(literal: "DPoP-Nonce")
}
