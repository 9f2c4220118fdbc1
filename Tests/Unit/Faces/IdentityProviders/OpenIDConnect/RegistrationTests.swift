import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import IdentityProviders

@Suite("Dynamic client registration (RFC 7591, RFC 7592, OpenID Connect Registration 1.0)")
struct RegistrationTests {
    private static let web: JSONObject = ["redirect_uris": [.string(Visitor.redirectURI)], "client_name": "Photos"]

    private func register(_ visitor: Visitor, _ document: JSONObject, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(visitor, .post, "company/register", document, headers: headers)
    }

    private func send(
        _ visitor: Visitor, _ method: HTTPRequest.Method, _ path: String, _ document: JSONObject, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/json"
        return try await visitor.send(method, path, body: JSONValue.object(document).serialized(), headers: headers)
    }

    private func bearer(_ answer: Answer) -> HTTPFields {
        [.authorization: "Bearer \(answer.json["registration_access_token"]?.stringValue ?? "")"]
    }

    private func path(_ answer: Answer) -> String {
        String((answer.json["registration_client_uri"]?.stringValue ?? "").dropFirst("\(Visitor.origin)/idp/".count))
    }

    @Test("omitted metadata gets its default, and unknown metadata is ignored (RFC 7591 sections 2 and 3.2.1)")
    func defaults() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var document = Self.web
        document["magic"] = "unknown"
        document["logo_uri"] = "https://app.example/logo.png"
        let began = visitor.cloud.clock.now.seconds
        let answer = try await register(visitor, document)
        #expect(answer.status == 201, "\(answer.body)")
        #expect(answer.headers[.cacheControl] == "no-store", "\(answer.body)")
        let json = answer.json
        #expect(json["client_name"] == "Photos")
        #expect(json["redirect_uris"] == [.string(Visitor.redirectURI)])
        #expect(json["grant_types"] == ["authorization_code"])
        #expect(json["response_types"] == ["code"])
        #expect(json["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(json["application_type"] == "web")
        #expect(json["id_token_signed_response_alg"] == "RS256")
        #expect(json["subject_type"] == "public")
        #expect(json["logo_uri"] == "https://app.example/logo.png")
        #expect(json["magic"] == nil)
        #expect(json["client_secret_expires_at"] == 0)
        #expect((json["client_secret"]?.stringValue?.utf8.count ?? 0) >= 32)
        let issued = try #require(json["client_id_issued_at"]?.integerValue)
        #expect((began...visitor.cloud.clock.now.seconds).contains(issued))
    }

    @Test("a registered client logs users in")
    func login() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var document = Self.web
        document["grant_types"] = ["authorization_code", "refresh_token"]
        let client = try await register(visitor, document).json
        let (id, secret) = (client["client_id"]?.stringValue ?? "", client["client_secret"]?.stringValue ?? "")
        let request = Requests.company.with(["client_id": id, "scope": "openid offline_access"])
        let code = try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
        let form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
        let tokens = try await visitor.post("company/token", form, headers: [.authorization: basic(id, secret)])
        #expect(tokens.status == 200)
        #expect(!tokens.refreshToken.isEmpty)
        #expect(try JSONWebToken(parsing: try #require(tokens.json["id_token"]?.stringValue)).claims["aud"]?.stringValue == id)
        // The client has not registered for another grant.
        let own = try await visitor.post(
            "company/token", ["grant_type": "client_credentials"], headers: [.authorization: basic(id, secret)])
        #expect(own.error == "unauthorized_client")
    }

    @Test("registrations survive a restart")
    func persistence() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let id = try #require(try await register(visitor, Self.web).json["client_id"]?.stringValue)
        let stored = try visitor.cloud.directory.providers["company"]?.client(id)?.metadata.json
        #expect(stored?["response_types"] == ["code"])
    }

    @Test(
        "invalid metadata is refused (RFC 7591 section 3.2.2)",
        arguments: [
            (["token_endpoint_auth_method": "magic"], "invalid_client_metadata"),
            (["token_endpoint_auth_method": "private_key_jwt"], "invalid_client_metadata"),
            (
                ["token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "client_credentials"]],
                "invalid_client_metadata"
            ),
            (["token_endpoint_auth_signing_alg": "none"], "invalid_client_metadata"),
            (
                ["token_endpoint_auth_method": "client_secret_jwt", "token_endpoint_auth_signing_alg": "ES256"],
                "invalid_client_metadata"
            ),
            (
                [
                    "token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://app.example/keys",
                    "token_endpoint_auth_signing_alg": "HS256",
                ], "invalid_client_metadata"
            ),
            (["jwks": ["keys": []], "jwks_uri": "https://app.example/keys"], "invalid_client_metadata"),
            (["jwks": ["key": "none"]], "invalid_client_metadata"), (["jwks_uri": "keys"], "invalid_client_metadata"),
            (["grant_types": ["magic"]], "invalid_client_metadata"), (["grant_types": "authorization_code"], "invalid_client_metadata"),
            (["response_types": ["magic"]], "invalid_client_metadata"),
            (["response_types": ["code"], "grant_types": ["implicit"]], "invalid_client_metadata"),
            (["response_types": ["id_token"], "grant_types": ["authorization_code"]], "invalid_client_metadata"),
            (["application_type": "magic"], "invalid_client_metadata"), (["subject_type": "magic"], "invalid_client_metadata"),
            (
                ["subject_type": "pairwise", "redirect_uris": ["https://a.example/cb", "https://b.example/cb"]], "invalid_client_metadata"
            ), (["subject_type": "pairwise", "redirect_uris": ["com.example.app:/cb"]], "invalid_client_metadata"),
            (["id_token_signed_response_alg": "none"], "invalid_client_metadata"),
            (["id_token_signed_response_alg": "HS256", "token_endpoint_auth_method": "none"], "invalid_client_metadata"),
            (["userinfo_signed_response_alg": "magic"], "invalid_client_metadata"),
            (["request_object_signing_alg": "magic"], "invalid_client_metadata"),
            (["id_token_encrypted_response_alg": "RSA-OAEP"], "invalid_client_metadata"),
            (["default_max_age": "soon"], "invalid_client_metadata"), (["default_max_age": -1], "invalid_client_metadata"),
            (["client_name": 1], "invalid_client_metadata"), (["logo_uri": "logo.png"], "invalid_client_metadata"),
            (["contacts": "me"], "invalid_client_metadata"),
            (["initiate_login_uri": "http://app.example/login"], "invalid_client_metadata"),
            (["backchannel_logout_uri": "https://app.example/#a"], "invalid_client_metadata"),
            (["frontchannel_logout_uri": "javascript:alert(1)"], "invalid_client_metadata"),
            (["post_logout_redirect_uris": ["relative"]], "invalid_client_metadata"),
            (["post_logout_redirect_uris": ["javascript:alert(1)"]], "invalid_client_metadata"),
            (["frontchannel_logout_uri": "javascript:alert(1)"], "invalid_client_metadata"),
            (["jwks": ["keys": [["kty": "oct", "k": "c2VjcmV0"]]]], "invalid_client_metadata"),
            (["redirect_uris": []], "invalid_redirect_uri"), (["redirect_uris": "https://app.example/"], "invalid_redirect_uri"),
            (["redirect_uris": [1]], "invalid_redirect_uri"), (["redirect_uris": ["/callback"]], "invalid_redirect_uri"),
            (["redirect_uris": ["https://app.example/#here"]], "invalid_redirect_uri"),
            (["redirect_uris": ["https://"]], "invalid_redirect_uri"), (["redirect_uris": ["javascript:alert(1)"]], "invalid_redirect_uri"),
            (["redirect_uris": ["https://app.example/a b"]], "invalid_redirect_uri"),
            (["response_types": ["id_token"], "redirect_uris": ["http://app.example/cb"]], "invalid_redirect_uri"),
            (["response_types": ["id_token"], "redirect_uris": ["https://localhost/cb"]], "invalid_redirect_uri"),
            (["application_type": "native", "redirect_uris": ["https://app.example/cb"]], "invalid_redirect_uri"),
            (["application_type": "native", "redirect_uris": ["http://app.example/cb"]], "invalid_redirect_uri"),
        ] as [(JSONObject, String)])
    func faults(members: JSONObject, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var document = Self.web
        for (name, value) in members.members { document[name] = value }
        let answer = try await register(visitor, document)
        #expect(answer.status == 400, "\(answer.body)")
        #expect(answer.error == error, "\(answer.body)")
        #expect(visitor.cloud.directory.providers["company"]?.clients.count == 2)
    }

    @Test("the body must be a JSON object")
    func bodies() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        for body in ["", "[]", "{", "redirect_uris=x"] {
            let answer = try await visitor.send(.post, "company/register", body: body, headers: [.contentType: "application/json"])
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_client_metadata")
        }
        #expect(try await visitor.post("company/register", ["redirect_uris": "x"]).error == "invalid_request")
        #expect(try await visitor.get("company/register").status == 405)
    }

    @Test(
        "each application type has its own rules for redirect URIs",
        arguments: [
            ["redirect_uris": ["https://app.example/cb?x=1", "http://localhost:8080"], "application_type": "web"],
            ["redirect_uris": ["com.example.app:/cb", "http://127.0.0.1/cb", "http://[::1]:8080/cb"], "application_type": "native"],
            ["redirect_uris": ["https://app.example/cb"], "response_types": ["code token id_token", "id_token"]],
            ["grant_types": ["client_credentials"]],
            ["grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"], "token_endpoint_auth_method": "none"],
        ] as [JSONObject])
    func kinds(document: JSONObject) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await register(visitor, document)
        #expect(answer.status == 201, "\(answer.body)")
        #expect((answer.json["client_secret"] == nil) == (document["token_endpoint_auth_method"] == "none"))
        if document["response_types"] != nil {
            #expect(answer.json["response_types"] == ["code id_token token", "id_token"])
            #expect(answer.json["grant_types"] == ["authorization_code", "implicit"])
        }
    }

    @Test("a client without a grant of the authorization endpoint has no response types (RFC 7591 section 2)")
    func elsewhere() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await register(
            visitor,
            [
                "redirect_uris": ["http://localhost:4242", "edu.kit.data.oidc-agent:/redirect"], "response_types": ["token"],
                "grant_types": ["refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
            ])
        #expect(answer.status == 201, "\(answer.body)")
        #expect(answer.json["response_types"] == [])
    }

    @Test("a client reads, replaces and deletes its registration (RFC 7592 section 2)")
    func configuration() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let first = try await register(visitor, Self.web)
        let (path, headers) = (path(first), bearer(first))
        let id = try #require(first.json["client_id"])
        #expect(try await visitor.get(path, headers: headers).json == first.json)

        let document: JSONObject = [
            "client_id": id, "redirect_uris": ["https://app.example/cb"], "client_secret": first.json["client_secret"] ?? .null,
            "token_endpoint_auth_method": "client_secret_post", "contacts": .null,
        ]
        let replaced = try await send(visitor, .put, path, document, headers: headers)
        #expect(replaced.status == 200, "\(replaced.body)")
        #expect(replaced.json["token_endpoint_auth_method"] == "client_secret_post", "\(replaced.body)")
        #expect(replaced.json["client_secret"] == first.json["client_secret"])
        #expect(replaced.json["client_name"] == id)
        #expect(try await visitor.get(path, headers: headers).json == replaced.json)
        for (name, value) in [
            ("client_id", "another"), ("client_secret", "guess"), ("registration_access_token", "x"), ("client_id_issued_at", 1),
        ] as [(String, JSONValue)] {
            var faulty = document
            faulty[name] = value
            #expect(try await send(visitor, .put, path, faulty, headers: headers).error == "invalid_request", "\(name)")
        }
        var wrong = document
        wrong["redirect_uris"] = []
        #expect(try await send(visitor, .put, path, wrong, headers: headers).error == "invalid_redirect_uri")

        #expect(try await visitor.send(.delete, path, headers: headers).status == 204)
        for method in [HTTPRequest.Method.get, .delete] {
            #expect(try await visitor.send(method, path, headers: headers).status == 401)
        }
        let form: FormFields = ["grant_type": "client_credentials", "client_id": id.stringValue ?? ""]
        #expect(try await visitor.post("company/token", form).error == "invalid_client")
        // The token does not manage another client that gets the identifier.
        let name = try #require(id.stringValue)
        let other = Client(id: name, secret: "another", name: name, redirectURIs: [Visitor.redirectURI], applicationID: nil)
        try await visitor.cloud.edit { $0.put(other, at: "company") }
        #expect(try await visitor.get(path, headers: headers).status == 401)
    }

    @Test("a registration needs its own access token")
    func otherRegistrations() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let (one, two) = (try await register(visitor, Self.web), try await register(visitor, Self.web))
        for headers in [[:], [.authorization: "Bearer guess"], bearer(two)] as [HTTPFields] {
            let answer = try await visitor.get(path(one), headers: headers)
            #expect(answer.status == 401)
            #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            // A request without a token gets a challenge without an error (RFC 6750 section 3.1).
            #expect(answer.headers[.wwwAuthenticate]?.contains("error=") == !headers.isEmpty)
        }
        #expect(try await visitor.get("company/register/web-app", headers: bearer(one)).status == 401)
    }

    @Test("redirect URIs must be listed at the sector identifier (OpenID Connect Dynamic Client Registration 1.0 section 5)")
    func sector() async throws {
        let web = Web()
        let visitor = Visitor(try await Visitor.sandbox(), applications: web.applications)
        var document = Self.web
        document["sector_identifier_uri"] = "https://app.example/sector.json"
        #expect(try await register(visitor, document).error == "invalid_client_metadata", "there is no document")
        for text in ["no JSON", "{}", "[]", "[\"https://other.example/cb\"]", "[1]"] {
            web.publish(text, at: "https://app.example/sector.json")
            #expect(try await register(visitor, document).error == "invalid_client_metadata", "\(text)")
        }
        web.publish("[\"https://other.example/cb\", \"\(Visitor.redirectURI)\"]", at: "https://app.example/sector.json")
        let answer = try await register(visitor, document)
        #expect(answer.status == 201, "\(answer.body)")
        #expect(answer.json["sector_identifier_uri"] == "https://app.example/sector.json", "\(answer.body)")
        // A replaced registration is validated again (RFC 7592 section 2.2).
        var replaced = document
        replaced["client_id"] = answer.json["client_id"]
        replaced["redirect_uris"] = ["https://third.example/cb"]
        let refused = try await send(visitor, .put, path(answer), replaced, headers: bearer(answer))
        #expect(refused.status == 400, "\(refused.body)")
        #expect(refused.error == "invalid_client_metadata", "\(refused.body)")
        document["sector_identifier_uri"] = "urn:sector"
        #expect(try await register(visitor, document).error == "invalid_client_metadata")
    }

    @Test(
        "a sector_identifier_uri is an https URL, or an http URL of this machine",
        arguments: [
            ("https://app.example/s", 201), ("HTTPS://app.example/s", 201), ("http://127.0.0.1:8000/s", 201),
            ("http://localhost/s", 201), ("http://[::1]:8000/s", 201), ("http://app.example/s", 400),
            ("http://127.0.0.1.app.example/s", 400), ("http://localhost.app.example/s", 400),
            ("http://127.0.0.1@app.example/s", 400),
        ])
    func sectorScheme(url: String, status: Int) async throws {
        let web = Web()
        let visitor = Visitor(try await Visitor.sandbox(), applications: web.applications)
        web.publish("[\"\(Visitor.redirectURI)\"]", at: url)
        var document = Self.web
        document["sector_identifier_uri"] = .string(url)
        let answer = try await register(visitor, document)
        #expect(answer.status == status, "\(answer.body)")
        if status == 400 { #expect(answer.error == "invalid_client_metadata") }
    }

    @Test("a seed can require an initial access token (RFC 7591 section 3)")
    func initialAccessToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.cloud.edit { directory in
            guard var provider = directory.providers["company"] else { return }
            provider.initialAccessToken = "invited"
            directory.put(.provider(provider))
        }
        #expect(try await register(visitor, Self.web).status == 401)
        #expect(try await register(visitor, Self.web, headers: [.authorization: "Bearer guess"]).error == "invalid_token")
        #expect(try await register(visitor, Self.web, headers: [.authorization: "Bearer invited"]).status == 201)
    }

    @Test("open registration ends at the documented number of clients, and registration with a token does not (RFC 7591 section 3)")
    func mostClients() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.cloud.edit { directory in
            for number in 1..<RegistrationEndpoint.mostOpen {
                var client = Client(id: "c-\(number)", secret: nil, name: "c", redirectURIs: [], applicationID: nil)
                client.isOpenlyRegistered = true
                directory.put(client, at: "company")
            }
        }
        let last = try await register(visitor, Self.web)
        #expect(last.status == 201)
        let refused = try await register(visitor, Self.web)
        #expect(refused.status == 403)
        #expect(refused.error == "insufficient_scope")
        #expect(
            refused.json["error_description"]?.stringValue
                == "The sandbox has 10000 clients that registered without an initial access token. It keeps no more. Delete some, or set "
                + "initialAccessToken.")
        // A client that leaves makes room for another one.
        #expect(try await visitor.send(.delete, path(last), headers: bearer(last)).status == 204)
        #expect(try await register(visitor, Self.web).status == 201)
        #expect(try await register(visitor, Self.web).status == 403)
        try await visitor.cloud.edit { directory in
            guard var provider = directory.providers["company"] else { return }
            provider.initialAccessToken = "invited"
            directory.put(.provider(provider))
        }
        #expect(try await register(visitor, Self.web, headers: [.authorization: "Bearer invited"]).status == 201)
    }

    @Test("open registration accepts up to 16 KiB")
    func longestOpen() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        var document = Self.web
        document["client_name"] = .string(String(repeating: "n", count: 16_000))
        #expect(try await register(visitor, document).status == 201)
        document["client_name"] = .string(String(repeating: "n", count: 16_384))
        let refused = try await register(visitor, document)
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_request")
    }

    @Test("open registration is refused for clients that assert the identities of users")
    func assertedIdentities() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        var asserting = Self.web
        asserting["grant_types"] = ["authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"]
        asserting["jwks"] = .object(try applicant.jwks)
        let refused = try await register(visitor, asserting)
        #expect(refused.status == 400, "\(refused.body)")
        #expect(refused.error == "invalid_client_metadata", "\(refused.body)")

        // The client cannot add the grant later (RFC 7592 section 2.2), even if the provider requires an initial access token by then.
        let client = try await register(visitor, Self.web)
        asserting["client_id"] = client.json["client_id"]
        try await Company.change(visitor.cloud) { $0.initialAccessToken = "invited" }
        let replaced = try await send(visitor, .put, path(client), asserting, headers: bearer(client))
        #expect(replaced.status == 400, "\(replaced.body)")
        #expect(replaced.error == "invalid_client_metadata", "\(replaced.body)")

        // Registration with the initial access token is allowed by the seed.
        asserting["client_id"] = nil
        let invited = try await register(visitor, asserting, headers: [.authorization: "Bearer invited"])
        #expect(invited.status == 201, "\(invited.body)")
        asserting["client_id"] = invited.json["client_id"]
        #expect(try await send(visitor, .put, path(invited), asserting, headers: bearer(invited)).status == 200)
        let assertion = try applicant.assertion(["iss": invited.json["client_id"] ?? .null, "sub": "alice"])
        let tokens = try await visitor.post(
            "company/token",
            ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion, "scope": "openid"])
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(tokens.entry.caller == "alice", "\(tokens.body)")
    }
}
