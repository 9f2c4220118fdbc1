import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Tokens issued without a login")
struct MintingTests {
    private func mint(
        _ cloud: Cloud, _ provider: String, user: String = "alice", client: String? = nil, claims: JSONObject = [:],
        lifetime: Int? = nil
    ) async throws -> MintedToken {
        var order = TokenOrder(provider: provider, user: user)
        order.client = client
        order.claims = claims
        order.lifetime = lifetime
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: Visitor.origin)
    }

    @Test("an ID token has the requested claims in place of its own")
    func claims() async throws {
        let cloud = try await Visitor.sandbox()
        let minted = try await mint(
            cloud, "company", user: "bob", client: "cli", claims: ["email": "b@b.example", "groups": ["staff"]], lifetime: 60)
        #expect(minted.subject == "employee-0002-bob")
        #expect(minted.client == "cli")
        #expect(minted.expiresIn == 60)
        let token = try JSONWebToken(parsing: minted.token)
        #expect(token.claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(token.claims["aud"] == "cli")
        #expect(token.claims["email"] == "b@b.example")
        #expect(token.claims["groups"] == ["staff"])
        #expect(token.claims["name"] == "Bob Baker")
        let lifetime = try #require(token.claims["exp"]?.integerValue) - #require(token.claims["iat"]?.integerValue)
        #expect(lifetime == 60)
        #expect(try await mint(cloud, "company", claims: ["sub": "nobody"]).subject == "nobody")
    }

    @Test("tokens have the issuer's configured name, and access tokens its format")
    func settings() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await Company.change(visitor.cloud) { provider in
            provider.origins = IssuerOrigins(issuer: "https://login.example")
            provider.accessTokenFormat = .jwt
        }
        let identity = try JSONWebToken(parsing: try await mint(visitor.cloud, "company").token)
        #expect(identity.claims["iss"] == "https://login.example/idp/company")
        var order = TokenOrder(provider: "company", user: "alice")
        order.kind = .accessToken
        let access = try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin).token
        let token = try JSONWebToken(parsing: access)
        #expect(token.header["typ"] == "at+jwt")
        #expect(token.claims["iss"] == "https://login.example/idp/company")
        #expect(try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(access)"]).status == 200)
    }

    @Test("a signed access token is one of an issuer with JWTs, and one of Keycloak at the issuer of a realm")
    func forms() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await Company.change(visitor.cloud) { $0.accessTokenFormat = .jwt }
        var order = TokenOrder(provider: "company", user: "alice")
        (order.kind, order.isSigned) = (.accessToken, true)
        let own = try JSONWebToken(parsing: try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin).token)
        #expect(own.header["typ"] == "at+jwt")
        #expect(own.claims["client_id"] != nil)
        order.issuer = "\(Visitor.origin)/realms/company"
        let realm = try JSONWebToken(parsing: try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin).token)
        #expect(realm.claims["typ"] == "Bearer")
        #expect(realm.claims["iss"] == .string(order.issuer ?? ""))
    }

    @Test("tokens of Facebook and Amazon are access tokens of the first client", arguments: ["facebook", "amazon"])
    func accessTokens(provider: String) async throws {
        let cloud = try await Visitor.sandbox()
        let minted = try await mint(cloud, provider)
        let grant = try #require(try cloud.grants.find(minted.token, kind: .accessToken, at: provider))
        #expect(grant.person == "alice")
        #expect(grant.client == minted.client)
        #expect(minted.expiresIn == (provider == "facebook" ? 5400 : 3600))
        let target = provider == "facebook" ? "facebook/me" : "amazon/user/profile"
        #expect(try await Visitor(cloud).get(target, ["access_token": minted.token]).status == 200)
    }

    @Test("a social token can have scopes, app-scoped identifiers and a long lifetime, and be expired or revoked")
    func socialTokens() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.hasScopedIDs = true }
        let mint = TokenMint(cloud: visitor.cloud)
        var order = TokenOrder(provider: "facebook", user: "alice")
        order.scopes = ["public_profile", "user_birthday"]
        order.lifetime = 5_184_000
        let minted = try await mint.token(order, issuerOrigin: Visitor.origin)
        let debug: (String) async throws -> JSONValue? = { token in
            try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken]).json["data"]
        }
        let data = try await debug(minted.token)
        #expect(data?["user_id"]?.stringValue == minted.subject)
        #expect(data?["scopes"] == ["public_profile", "user_birthday"])
        #expect(data?["issued_at"] != nil, "it lives long")
        order.fault = .revoked
        let revoked = try await debug(try await mint.token(order, issuerOrigin: Visitor.origin).token)
        #expect(revoked?["error"]?["subcode"] == 458)
        order.fault = .expired
        let expired = try await debug(try await mint.token(order, issuerOrigin: Visitor.origin).token)
        #expect(expired?["error"]?["subcode"] == 463)
        var other = TokenOrder(provider: "google", user: "alice")
        other.fault = .revoked
        await #expect(throws: MintingError.kindNotPossible(.idToken)) { try await mint.token(other, issuerOrigin: Visitor.origin) }
        other.kind = .accessToken
        let token = try await mint.token(other, issuerOrigin: Visitor.origin).token
        #expect(try await visitor.get("google/tokeninfo", ["access_token": token]).status == 400)
    }

    @Test("an invalid order has an error that names the fault")
    func faults() async throws {
        let cloud = try await Visitor.sandbox()
        await #expect(throws: MintingError.unknownProvider("x")) { try await mint(cloud, "x") }
        await #expect(throws: MintingError.unknownUser("dave")) { try await mint(cloud, "company", user: "dave") }
        await #expect(throws: MintingError.unknownClient("x")) { try await mint(cloud, "company", client: "x") }
        await #expect(throws: MintingError.opaque(.accessToken)) { try await mint(cloud, "facebook", claims: ["a": 1]) }
        for lifetime in [0, -1, Int.max] {
            await #expect(throws: MintingError.invalidLifetime) { try await mint(cloud, "google", lifetime: lifetime) }
        }
    }

    private func mint(_ cloud: Cloud, _ order: TokenOrder) async throws -> MintedToken {
        try await TokenMint(cloud: cloud).token(order, issuerOrigin: Visitor.origin)
    }

    private func order(_ kind: TokenOrder.Kind, _ provider: String = "company") -> TokenOrder {
        var order = TokenOrder(provider: provider, user: "alice")
        order.kind = kind
        return order
    }

    @Test("an ID token is signed with any requested algorithm, and its header can have further members")
    func algorithms() async throws {
        let cloud = try await Visitor.sandbox()
        for algorithm in SignatureAlgorithm.asymmetric {
            var order = order(.idToken)
            order.algorithm = algorithm
            order.header = ["typ": "id+jwt", "x": 1, "kid": .null]
            order.nonce = "n-1"
            order.missingClaims = ["auth_time", "email"]
            let token = try JSONWebToken(parsing: try await mint(cloud, order).token)
            #expect(token.algorithm == algorithm)
            #expect(token.keyID == nil)
            #expect(token.header["typ"] == "id+jwt")
            #expect(token.header["x"] == 1)
            #expect(token.claims["nonce"] == "n-1")
            #expect(token.claims["auth_time"] == nil)
            #expect(token.claims["email"] == nil)
            try token.verify(with: try await cloud.signingKey(for: "company", algorithm: algorithm).verificationKey)
        }
    }

    @Test("no token is signed with the issuer's key under a name that another sandbox may have given to it")
    func kidOfAnotherSandbox() async throws {
        let cloud = try await Visitor.sandbox()
        let key = try await cloud.signingKey(for: "company")
        let elsewhere = "\(key.keyID.prefix(22))-0a1b2c3d"
        let cases: [(String, TokenFault?, Bool)] = [
            (elsewhere, nil, false), (elsewhere, .expired, false), (elsewhere, .otherKey, false), (key.keyID, nil, true),
            ("mine", nil, true),
        ]
        for (name, fault, isSigned) in cases {
            var order = order(.idToken)
            order.header = ["kid": .string(name)]
            order.fault = fault
            let token = try JSONWebToken(parsing: try await mint(cloud, order).token)
            #expect(token.keyID == name)
            #expect(((try? token.verify(with: key.verificationKey)) != nil) == isSigned, "\(name) \(String(describing: fault))")
        }
    }

    @Test("every fault changes one thing", arguments: TokenFault.allCases.filter { $0 != .revoked })
    func spoils(fault: TokenFault) async throws {
        let cloud = try await Visitor.sandbox()
        var order = order(.idToken)
        order.nonce = "n-1"
        let good = try JSONWebToken(parsing: try await mint(cloud, order).token)
        order.fault = fault
        let before = cloud.clock.now.seconds
        let text = try await mint(cloud, order).token
        // When the token was issued.
        let issued = before...cloud.clock.now.seconds
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3)
        let headerBytes = try #require([UInt8](base64url: parts[0]))
        let payload = try #require([UInt8](base64url: parts[1]))
        let header = try #require(try JSONValue(parsing: headerBytes).objectValue)
        let key = try await cloud.signingKey(for: "company")
        // Whether the issuer's key verifies the signature over header and payload.
        let signature = try #require([UInt8](base64url: parts[2]))
        guard case .rsa(let publicKey) = key.verificationKey else { throw CryptographyError.invalidKey }
        let isSigned = publicKey.verify(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        let claims = (try? JSONValue(parsing: payload))?.objectValue
        func time(_ name: String) -> Int64 { claims?[name]?.integerValue ?? 0 }
        // The claims that differ from a valid token's, apart from times.
        let differing = Set((claims ?? [:]).names + good.claims.names).filter { name in
            claims?[name] != good.claims[name] && !["iat", "exp", "auth_time"].contains(name)
        }
        switch fault {
        // ID tokens do not have this fault.
        case .revoked: break
        case .expired:
            #expect(isSigned)
            #expect(differing.isEmpty)
            #expect(issued.contains(time("exp") + 3600))
            #expect(time("exp") - time("iat") == 3600)
            #expect(time("auth_time") <= time("iat"))
        case .notYetValid:
            #expect(isSigned)
            #expect(differing == ["nbf"])
            #expect(issued.contains(time("nbf") - 3600))
            #expect(time("exp") > time("nbf"))
        case .issuedInTheFuture:
            #expect(isSigned)
            #expect(differing.isEmpty)
            #expect(issued.contains(time("iat") - 3600))
            #expect(time("exp") > time("iat"))
        case .wrongAudience:
            #expect(isSigned)
            #expect(differing == ["aud"])
        case .wrongIssuer:
            #expect(isSigned)
            #expect(differing == ["iss"])
        case .wrongNonce:
            #expect(isSigned)
            #expect(differing == ["nonce"])
        case .wrongAccessTokenHash:
            #expect(isSigned)
            #expect(differing == ["at_hash"])
        case .unknownKeyID:
            #expect(isSigned)
            #expect(differing.isEmpty)
            #expect(header["kid"]?.stringValue != key.keyID)
            #expect(header["kid"] != nil)
        case .missingKeyID:
            #expect(isSigned)
            #expect(differing.isEmpty)
            #expect(header["kid"] == nil)
        case .algNone:
            #expect(header["alg"] == "none")
            #expect(signature.isEmpty)
            #expect(differing.isEmpty)
        case .hs256WithPublicKey:
            #expect(header["alg"] == "HS256")
            #expect(header["kid"]?.stringValue == key.keyID)
            #expect(differing.isEmpty)
            try JSONWebToken(parsing: text, accepting: [.hs256]).verify(secret: Array(publicKey.pem.utf8))
        case .flippedSignatureBit:
            #expect(!isSigned)
            #expect(signature.count == 256)
            #expect(differing.isEmpty)
            #expect(header == good.header)
        case .emptySignature:
            #expect(signature.isEmpty)
            #expect(differing.isEmpty)
            #expect(header == good.header)
        case .otherKey:
            #expect(!isSigned)
            #expect(signature.count == 256)
            #expect(differing.isEmpty)
            #expect(header == good.header)
        case .embeddedKey:
            let other = try #require(header["jwk"]?.objectValue.flatMap { JSONWebKey($0) })
            try JSONWebToken(parsing: text).verify(with: other.key)
            #expect(!isSigned)
            #expect(header["kid"]?.stringValue == key.keyID)
            #expect(differing.isEmpty)
        case .keySetURL:
            #expect(!isSigned)
            #expect(header["jku"] != nil)
            #expect(differing.isEmpty)
        case .embeddedCertificate:
            #expect(!isSigned)
            #expect(header["x5c"]?.arrayValue?.count == 1)
            #expect(differing.isEmpty)
        case .certificateURL:
            #expect(!isSigned)
            #expect(header["x5u"] != nil)
            #expect(differing.isEmpty)
        case .criticalExtension:
            #expect(isSigned)
            #expect(header["crit"] == ["urn:example:unknown"])
            #expect(differing.isEmpty)
        case .duplicateClaims:
            let text = String(decoding: payload, as: UTF8.self)
            #expect(isSigned)
            #expect(claims == nil)
            #expect(text.split(separator: "\"sub\":").count == 3)
            #expect(text.hasSuffix("\"another\"}"))
        case .nestedToken:
            try JSONWebToken(parsing: String(decoding: payload, as: UTF8.self)).verify(with: key.verificationKey)
            #expect(isSigned)
            #expect(header["cty"] == "JWT")
        case .hugeClaims:
            #expect(isSigned)
            #expect(differing == ["groups"])
            #expect(text.utf8.count > 64 * 1024)
        }
    }

    @Test("a signed access token is accepted by userinfo, unless it has a fault")
    func signedAccessTokens() async throws {
        let cloud = try await Visitor.sandbox()
        var order = order(.accessToken)
        order.isSigned = true
        order.scopes = ["openid", "email"]
        let plain = try await mint(cloud, order).token
        order.algorithm = .es256
        order.claims = ["groups": ["staff"]]
        order.lifetime = 60
        let altered = try await mint(cloud, order)
        let token = try JSONWebToken(parsing: altered.token)
        #expect(token.algorithm == .es256)
        #expect(token.claims["groups"] == ["staff"])
        #expect(altered.expiresIn == 60)
        #expect(try #require(token.claims["exp"]?.integerValue) - #require(token.claims["iat"]?.integerValue) == 60)
        for text in [plain, altered.token] {
            let answer = try await Visitor(cloud).get("company/userinfo", headers: [.authorization: "Bearer \(text)"])
            #expect(answer.status == 200)
            #expect(answer.json["email"] != nil)
        }
        order.fault = .flippedSignatureBit
        let forged = try await mint(cloud, order).token
        #expect(try await Visitor(cloud).get("company/userinfo", headers: [.authorization: "Bearer \(forged)"]).status == 401)
    }

    @Test("a code is redeemed like the code of a login, with its redirect URI, verifier and nonce")
    func codes() async throws {
        let cloud = try await Visitor.sandbox()
        var order = order(.code)
        order.client = "web-app"
        order.nonce = "n-2"
        order.redirectURI = Visitor.redirectURI
        order.scopes = ["openid", "email", "offline_access"]
        order.codeChallenge = Requests.challenge
        let minted = try await mint(cloud, order)
        #expect(minted.kind == .code)
        #expect(minted.expiresIn == 300)
        let visitor = Visitor(cloud)
        let form: FormFields = [
            "client_id": "web-app", "client_secret": "web-app-client-secret", "grant_type": "authorization_code", "code": minted.token,
            "redirect_uri": Visitor.redirectURI, "code_verifier": Requests.verifier,
        ]
        let wrong = try await visitor.post("company/token", form.with(["redirect_uri": "http://localhost:8765/another"]))
        #expect(wrong.status == 400)
        #expect(wrong.json["error"] == "invalid_grant")
        let answer = try await visitor.post("company/token", form)
        #expect(answer.status == 200)
        #expect(answer.json["refresh_token"] != nil)
        let token = try JSONWebToken(parsing: try #require(answer.json["id_token"]?.stringValue))
        #expect(token.claims["nonce"] == "n-2")
        #expect(token.claims["email"] != nil)
        #expect(token.claims["name"] == nil)
        order.fault = .expired
        let expired = try await mint(cloud, order).token
        #expect(try cloud.grants.find(expired, kind: .code, at: "company") == nil)
        #expect(try cloud.grants.look(up: expired, kind: .code, at: "company") != nil)
    }

    @Test("refresh tokens and opaque access tokens have each provider's form", arguments: ["company", "google", "amazon", "facebook"])
    func opaque(provider: String) async throws {
        let cloud = try await Visitor.sandbox()
        let access = try await mint(cloud, order(.accessToken, provider)).token
        #expect(try cloud.grants.find(access, kind: .accessToken, at: provider) != nil)
        if provider == "facebook" {
            await #expect(throws: MintingError.kindNotPossible(.refreshToken)) { try await mint(cloud, order(.refreshToken, provider)) }
        } else {
            let refresh = try await mint(cloud, order(.refreshToken, provider)).token
            #expect(try cloud.grants.find(refresh, kind: .refreshToken, at: provider) != nil)
        }
        var wrong = order(.accessToken, provider)
        wrong.fault = .wrongAudience
        await #expect(throws: MintingError.opaque(.accessToken)) { try await mint(cloud, wrong) }
        wrong.fault = .expired
        let expired = try await mint(cloud, wrong)
        #expect(expired.expiresIn < 0)
        #expect(try cloud.grants.find(expired.token, kind: .accessToken, at: provider) == nil)
        #expect(try cloud.grants.look(up: expired.token, kind: .accessToken, at: provider) != nil)
        if provider == "amazon" || provider == "facebook" {
            await #expect(throws: MintingError.kindNotPossible(.idToken)) { try await mint(cloud, order(.idToken, provider)) }
        }
    }
}
