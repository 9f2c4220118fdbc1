import Cloud
import Cryptography
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Request objects")
struct RequestObjectTests {
    private let key: SigningKey
    private let web = Web()

    init() throws { key = try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)) }

    private func visitor(_ describe: (inout ClientMetadata) -> Void = { _ in }) async throws -> Visitor {
        let keys = try JSONWebKeySet([key.jsonWebKey]).json.objectValue
        let cloud = try await Company.sandbox { metadata in
            metadata.jwks = keys
            metadata.requestURIs = ["https://app.example/request"]
            describe(&metadata)
        }
        return Visitor(cloud, applications: web.applications)
    }

    /// The parameters outside of the request object.
    private static let outer: FormFields = ["client_id": "web-app", "response_type": "code", "scope": "openid"]

    private static let claims: JSONObject = [
        "iss": "web-app", "aud": "https://login.company.example", "client_id": "web-app", "response_type": "code",
        "redirect_uri": .string(Visitor.redirectURI), "scope": "openid email", "state": "inner", "nonce": "n-2", "max_age": 600,
        "claims": ["id_token": ["acr": .null]],
    ]

    private func sign(_ further: JSONObject = [:], header: JSONObject = ["typ": "oauth-authz-req+jwt"]) throws -> String {
        var claims = Self.claims
        for (name, value) in further.members { claims[name] = value == .null ? nil : value }
        return try JSONWebToken.sign(header: header, claims: claims, key: key)
    }

    private static func unsigned(_ claims: JSONObject, header: JSONObject = ["alg": "none"]) -> String {
        [header, claims].map { JSONValue.object($0).serializedBytes().base64url }.joined(separator: ".") + "."
    }

    @Test("the signed parameters apply, and those outside complement them (OpenID Connect Core 1.0 section 6.3.3)")
    func byValue() async throws {
        let visitor = try await visitor()
        let request = Self.outer.with(["state": "outer", "request": try sign(), "login_hint": "alice"])
        let page = try await visitor.get("company/authorize", request)
        #expect(page.isLogin)
        #expect(page.body.contains("value=\"alice\""))
        var step = try await visitor.press("person", "alice", on: page)
        if step.isConsent { step = try await visitor.press("action", "allow", on: step) }
        #expect(step.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(step.redirected["state"] == "inner")
        let tokens = try await visitor.post(
            "company/token",
            OpenIDConnectTests.client.with([
                "grant_type": "authorization_code", "code": try #require(step.redirected["code"]), "redirect_uri": Visitor.redirectURI,
            ]))
        let identity = try await Company.claims(tokens.json["id_token"]?.stringValue, at: visitor)
        #expect(identity["nonce"] == "n-2")
        #expect(identity["email"] == "alice@company.example")
        #expect(identity["acr"] == "1")
    }

    @Test("an object by reference is fetched from a registered URI, whatever its fragment")
    func byReference() async throws {
        let visitor = try await visitor()
        web.publish(try sign() + "\n", at: "https://app.example/request")
        let answer = try await visitor.authorize(
            "company/authorize", Self.outer.with(["request_uri": "https://app.example/request#v2"]))
        #expect(answer.redirected["state"] == "inner")
        #expect(answer.redirected["code"] != nil)
    }

    @Test(
        "a URI that is not registered, or returns no object, is refused",
        arguments: ["https://app.example/other", "https://app.example/request", "file:///etc/passwd", "urn:other"])
    func unknownReference(uri: String) async throws {
        let answer = try await visitor().get("company/authorize", Requests.company.with(["request_uri": uri]))
        #expect(answer.redirected["error"] == "invalid_request_uri")
        #expect(answer.redirected["state"] == "s t&te")
    }

    @Test(
        "an invalid object is refused",
        arguments: [
            ["iss": "cli"], ["aud": "https://elsewhere.example"], ["exp": 1], ["nbf": 99_999_999_999], ["sub": "web-app"],
            ["request": "x"], ["request_uri": "x"], ["client_id": "cli"], ["response_type": "token"], ["nonce": true],
            ["prompt": ["login", 1]], ["scope": true], ["state": ["a"]], ["prompt": ["none", "login"], "nonce": false],
        ] as [JSONObject])
    func unsound(claims: JSONObject) async throws {
        let answer = try await visitor().get("company/authorize", Requests.company.with(["request": try sign(claims)]))
        #expect(answer.redirected["error"] == "invalid_request_object")
        #expect(answer.redirected["state"] == "s t&te")
    }

    @Test("an object is checked against real time, whatever the sandbox's time, with a tolerance for nbf")
    func clock() async throws {
        for time: Int64? in [nil, 1_000_000_000, 4_000_000_000] {
            let visitor = try await visitor()
            if let time { try await visitor.cloud.change(clock: .freeze(at: Timestamp(seconds: time))) }
            let now = Timestamp.now().seconds
            func answer(_ claims: JSONObject) async throws -> Answer {
                try await visitor.get("company/authorize", Requests.company.with(["request": try sign(claims)]))
            }
            #expect(try await answer(["exp": .integer(now + 3600), "nbf": .integer(now + 20)]).isLogin)
            for claims in [["exp": .integer(now - 1)], ["nbf": .integer(now + 3600)]] as [JSONObject] {
                #expect(try await answer(claims).redirected["error"] == "invalid_request_object")
            }
        }
    }

    @Test("an object that is not a JWT, or has another signer, is refused")
    func forged() async throws {
        let visitor = try await visitor()
        let other = try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)).named(key.keyID)
        for text in [
            try JSONWebToken.sign(claims: Self.claims, key: other), try sign(header: ["typ": "logout+jwt"]), Self.unsigned(Self.claims),
            "x",
            try String(sign().dropLast(4)) + "AAAA",
        ] {
            let answer = try await visitor.get("company/authorize", Requests.company.with(["request": text]))
            #expect(answer.redirected["error"] == "invalid_request_object")
        }
    }

    @Test("keys are fetched from the client, and again for an unknown key")
    func publishedKeys() async throws {
        let visitor = try await visitor { metadata in
            metadata.jwks = nil
            metadata.jwksURI = "https://app.example/keys"
        }
        let old = try SigningKey.generate(algorithm: .es384, created: Timestamp(seconds: 0))
        let request = Requests.company.with(["request": try sign()])
        #expect(try await visitor.get("company/authorize", request).redirected["error"] == "invalid_request_object")
        web.publish(try JSONWebKeySet([old.jsonWebKey]).json.serialized(), at: "https://app.example/keys")
        #expect(try await visitor.get("company/authorize", request).redirected["error"] == "invalid_request_object")
        web.publish(try JSONWebKeySet([old.jsonWebKey, key.jsonWebKey]).json.serialized(), at: "https://app.example/keys")
        #expect(try await visitor.get("company/authorize", request).isLogin)
    }

    @Test("only the registered algorithm is accepted, which may be none (OpenID Connect Dynamic Client Registration 1.0 section 2)")
    func algorithms() async throws {
        for (registered, signed, unsigned) in [(nil, true, false), ("ES256", true, false), ("RS256", false, false), ("none", false, true)] {
            let visitor = try await visitor { $0.requestObjectSigningAlg = registered }
            let answer = try await visitor.get("company/authorize", Requests.company.with(["request": try sign()]))
            #expect(answer.isLogin == signed, "\(registered ?? "nothing")")
            let bare = try await visitor.get("company/authorize", Requests.company.with(["request": Self.unsigned(Self.claims)]))
            #expect(bare.isLogin == unsigned, "\(registered ?? "nothing")")
            let named = Self.unsigned(Self.claims, header: ["alg": "ES256"])
            #expect(try await visitor.get("company/authorize", Requests.company.with(["request": named])).isLogin == false)
        }
    }

    @Test(
        "an object can be signed with the client's secret, not with another (section 6.1)",
        arguments: ["web-app-client-secret", "guess", ""])
    func secret(secret: String) async throws {
        let visitor = try await visitor()
        let text = try JSONWebToken.sign(claims: Self.claims, secret: Array(secret.utf8), algorithm: .hs256)
        let answer = try await visitor.get("company/authorize", Requests.company.with(["request": text]))
        #expect(answer.isLogin == (secret == "web-app-client-secret"))
        // A public key is not a secret (RFC 8725 section 2.1).
        let published = Array(try JSONWebKeySet([key.jsonWebKey]).json.serialized().utf8)
        let confused = try JSONWebToken.sign(claims: Self.claims, secret: published, algorithm: .hs256)
        let refused = try await visitor.get("company/authorize", Requests.company.with(["request": confused]))
        #expect(refused.redirected["error"] == "invalid_request_object")
    }

    @Test("lists may be arrays, and unknown members are ignored, whatever their type")
    func lists() async throws {
        let visitor = try await visitor()
        var claims: JSONObject = [
            "scope": ["openid", "email"], "response_type": ["code"], "prompt": ["none"], "acr_values": ["0", "1"],
            "ui_locales": ["de", "fr"], "further": true, "others": [1, ["x": .null]], "ratio": 0.5,
        ]
        let first = try await visitor.get("company/authorize", Self.outer.with(["request": try sign(claims)]))
        #expect(first.redirected["error"] == "login_required", "prompt none was read")
        #expect(first.redirected["state"] == "inner", "prompt none was read")
        claims["prompt"] = ["consent", "login"]
        let answer = try await visitor.authorize("company/authorize", Self.outer.with(["request": try sign(claims)]))
        #expect(answer.redirected["state"] == "inner")
        #expect(answer.redirected["code"] != nil)
    }

    @Test("an object by value and by reference is refused")
    func twice() async throws {
        let answer = try await visitor().get(
            "company/authorize", Requests.company.with(["request": try sign(), "request_uri": "https://app.example/request"]))
        #expect(answer.redirected["error"] == "invalid_request")
    }

    @Test("a redirect URI in the object must be registered")
    func redirectURI() async throws {
        let answer = try await visitor().get(
            "company/authorize", Self.outer.with(["request": try sign(["redirect_uri": "https://evil.example/"])]))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
        let faulty = try await visitor().get("company/authorize", Self.outer.with(["request": "x"]))
        #expect(faulty.status == 400)
        #expect(faulty.location.isEmpty)
        #expect(faulty.entry.errorCode == "invalid_request_object")
    }

    @Test("metadata lists the supported algorithms and forms")
    func metadata() async throws {
        let document = try await visitor().get("company/.well-known/openid-configuration").json
        #expect(document["request_parameter_supported"] == true)
        #expect(document["require_request_uri_registration"] == true)
        #expect(document["request_object_signing_alg_values_supported"]?.arrayValue?.contains("none") == true)
        #expect(document["pushed_authorization_request_endpoint"]?.stringValue == "\(Visitor.origin)/idp/company/par")
    }
}

@Suite("Pushed authorization requests (RFC 9126)")
struct PushedRequestTests {
    private static let request = Requests.company.with(["client_secret": "web-app-client-secret", "state": "pushed"])

    private func visitor(_ describe: (inout ClientMetadata) -> Void = { _ in }) async throws -> Visitor {
        Visitor(try await Company.sandbox(describe))
    }

    private func push(_ visitor: Visitor, _ further: FormFields = [:]) async throws -> String {
        let answer = try await visitor.post("company/par", Self.request.with(further))
        #expect(answer.status == 201)
        #expect(answer.json["expires_in"] == 60)
        #expect(answer.headers[.cacheControl] == "no-store")
        return try #require(answer.json["request_uri"]?.stringValue)
    }

    @Test("the browser sends only the reference, and other parameters are ignored")
    func reference() async throws {
        let visitor = try await visitor()
        let uri = try await push(visitor)
        #expect(uri.hasPrefix("urn:ietf:params:oauth:request_uri:"))
        let answer = try await visitor.authorize(
            "company/authorize", ["client_id": "web-app", "request_uri": uri, "state": "other", "redirect_uri": "https://evil.example/"])
        #expect(answer.redirected["state"] == "pushed")
        #expect(answer.redirected["code"] != nil)
        let again = try await visitor.get("company/authorize", ["client_id": "web-app", "request_uri": uri])
        #expect(again.status == 400, "section 4: for one use")
        #expect(again.entry.errorCode == "invalid_request_uri", "section 4: for one use")
    }

    @Test("a reference is valid for a minute of the sandbox's time, and for its client")
    func lifetime() async throws {
        let visitor = try await visitor()
        let uri = try await push(visitor)
        let other = try await visitor.get("company/authorize", ["client_id": "cli", "request_uri": uri])
        #expect(other.status == 400)
        #expect(other.location.isEmpty)
        try await visitor.cloud.age(by: .seconds(61))
        #expect(try await visitor.get("company/authorize", ["client_id": "web-app", "request_uri": uri]).status == 400)
    }

    @Test("the client authenticates as at the token endpoint (section 2.1)")
    func authentication() async throws {
        let visitor = try await visitor()
        let wrong = try await visitor.post("company/par", Self.request.with(["client_secret": "wrong"]))
        #expect(wrong.status == 401)
        #expect(wrong.json["error"] == "invalid_client")
        var form = Requests.company
        form.fields.removeAll { $0.name == "client_id" }
        let basic = try await visitor.post("company/par", form, headers: [.authorization: basic("web-app", "web-app-client-secret")])
        #expect(basic.status == 201)
        #expect(try await visitor.get("company/par").status == 405)
        // See section 2.3.
        #expect(try await visitor.post("company/par", form.with(["state": String(repeating: "x", count: 1 << 16)])).status == 413)
    }

    @Test(
        "a request that the authorization endpoint would refuse is refused at once (section 2.3)",
        arguments: [
            (["redirect_uri": "https://evil.example/"], "invalid_request"), (["response_type": "magic"], "unsupported_response_type"),
            (["response_type": "token"], "unauthorized_client"), (["request_uri": "urn:x"], "invalid_request"),
            (["prompt": "magic"], "invalid_request"), (["request": "x"], "invalid_request_object"),
        ] as [(FormFields, String)])
    func faults(parameters: FormFields, error: String) async throws {
        let answer = try await visitor().post("company/par", Self.request.with(parameters))
        #expect(answer.status == 400)
        #expect(answer.json["error"]?.stringValue == error)
    }

    @Test("a proof of a key binds the code of the request (RFC 9449 section 10.1)")
    func proof() async throws {
        let visitor = try await visitor()
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let url = "\(Visitor.origin)/idp/company/par"
        let form = Requests.company.with(applicant.credentials)
        func push(_ further: FormFields = [:]) async throws -> Answer {
            try await visitor.post("company/par", form.with(further), headers: [.dpop: try applicant.proof(url: url)])
        }
        let elsewhere = try await visitor.post("company/par", form, headers: [.dpop: try applicant.proof()])
        #expect(elsewhere.json["error"] == "invalid_dpop_proof")
        #expect(try await push(["dpop_jkt": "other"]).json["error"] == "invalid_request")
        #expect(try await push(["dpop_jkt": try applicant.thumbprint]).status == 201)
        let uri = try #require(try await push().json["request_uri"]?.stringValue)
        let answer = try await visitor.authorize("company/authorize", ["client_id": applicant.id, "request_uri": uri])
        let redemption: FormFields = [
            "grant_type": "authorization_code", "code": try #require(answer.redirected["code"]), "redirect_uri": Visitor.redirectURI,
        ]
        let bare = try await visitor.post("company/token", redemption.with(applicant.credentials))
        #expect(bare.status == 400)
        let tokens = try await visitor.post(
            "company/token", redemption.with(applicant.credentials), headers: [.dpop: try applicant.proof()])
        #expect(tokens.json["token_type"] == "DPoP")
    }

    @Test("a client that requires pushed requests is refused without (section 6)")
    func required() async throws {
        let visitor = try await visitor { $0.requirePushedAuthorizationRequests = true }
        let refused = try await visitor.get("company/authorize", Requests.company)
        #expect(refused.redirected["error"] == "invalid_request")
        #expect(refused.redirected["state"] == "s t&te")
        let uri = try await push(visitor)
        let answer = try await visitor.authorize("company/authorize", ["client_id": "web-app", "request_uri": uri])
        #expect(answer.redirected["code"] != nil)
    }
}
