import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Resource indicators (RFC 8707)")
struct ResourceIndicatorTests {
    private static let files = "https://files.example/v1"
    private static let mail = "urn:example:mail"

    private let web = Web()

    private func sandbox(_ format: IdentityProvider.AccessTokenFormat = .jwt) async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox(), applications: web.applications)
        try await Company.change(visitor.cloud) { $0.accessTokenFormat = format }
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.responseTypes = ["code", "token", "code token"]
            metadata.jwks = try applicant.jwks
        }
        return (visitor, applicant)
    }

    private func naming(_ resources: [String], _ fields: FormFields = [:]) -> FormFields {
        var fields = fields
        fields.fields += resources.map { .init(name: "resource", value: $0) }
        return fields
    }

    private func code(_ visitor: Visitor, for resources: [String]) async throws -> FormFields {
        let request = Requests.company.with(["client_id": "app", "scope": "openid offline_access"])
        let answer = try await visitor.authorize("company/authorize", naming(resources, request))
        let code = try #require(answer.redirected["code"], "\(answer.location) \(answer.body)")
        return ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
    }

    private func audiences(_ visitor: Visitor, _ applicant: Applicant, _ token: String) async throws -> [String] {
        let aud = try await visitor.post("company/introspect", applicant.credentials.with(["token": token])).json["aud"]
        return aud?.stringValue.map { [$0] } ?? aud?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    @Test("the audience of an access token is the requested resource (section 2)", arguments: IdentityProvider.AccessTokenFormat.allCases)
    func authorization(format: IdentityProvider.AccessTokenFormat) async throws {
        let (visitor, applicant) = try await sandbox(format)
        for resources in [[Self.files], [Self.files, Self.mail]] {
            let form = try await code(visitor, for: resources).with(applicant.credentials)
            let tokens = try await visitor.post("company/token", form)
            #expect(try await audiences(visitor, applicant, tokens.accessToken) == resources, "\(tokens.body)")
            #expect(try JSONWebToken(parsing: tokens.json["id_token"]?.stringValue ?? "").claims["aud"] == "app")
            guard format == .jwt else { continue }
            let claim = try await Company.claims(tokens.accessToken, at: visitor)["aud"]
            #expect(claim == (resources.count == 1 ? .string(Self.files) : .array(resources.map { .string($0) })))
        }
    }

    @Test("a token request can name some of the granted resources, and each refresh others (section 2.2)")
    func narrowing() async throws {
        let (visitor, applicant) = try await sandbox()
        let form = try await code(visitor, for: [Self.files, Self.mail]).with(applicant.credentials)
        let refused = try await visitor.post("company/token", naming(["https://other.example/"], form))
        #expect(refused.status == 400, "\(refused.body)")
        #expect(refused.error == "invalid_target", "\(refused.body)")
        // The refused request has not used the code.
        var tokens = try await visitor.post("company/token", naming([Self.files], form))
        #expect(try await audiences(visitor, applicant, tokens.accessToken) == [Self.files], "\(tokens.body)")
        for (resources, expected) in [([Self.mail], [Self.mail]), ([], [Self.files, Self.mail])] {
            let refresh = applicant.credentials.with(["grant_type": "refresh_token", "refresh_token": tokens.refreshToken])
            #expect(try await visitor.post("company/token", naming(["https://other.example/"], refresh)).error == "invalid_target")
            tokens = try await visitor.post("company/token", naming(resources, refresh))
            #expect(try await audiences(visitor, applicant, tokens.accessToken) == expected, "\(tokens.body)")
        }
    }

    @Test("a grant without resource allows any")
    func open() async throws {
        let (visitor, applicant) = try await sandbox()
        let form = try await code(visitor, for: []).with(applicant.credentials)
        let tokens = try await visitor.post("company/token", naming([Self.files], form))
        #expect(try await audiences(visitor, applicant, tokens.accessToken) == [Self.files])
    }

    @Test(
        "a resource is an absolute URI without a fragment (section 2)",
        arguments: ["files", "/v1", "https://files.example/#v1", "https://"])
    func malformed(resource: String) async throws {
        let (visitor, applicant) = try await sandbox()
        let request = Requests.company.with(["client_id": "app", "resource": resource])
        let answer = try await visitor.get("company/authorize", request)
        #expect(answer.redirected["error"] == "invalid_target", "\(answer.body)")
        #expect(answer.redirected["state"] == "s t&te", "\(answer.body)")
        let pushed = try await visitor.post("company/par", request.with(applicant.credentials))
        #expect(pushed.status == 400)
        #expect(pushed.error == "invalid_target")
        for form in [
            ["grant_type": "client_credentials"], ["grant_type": "password", "username": "alice", "password": "alice-password"],
        ] as [FormFields] {
            let answer = try await visitor.post("company/token", form.with(applicant.credentials).with(["resource": resource]))
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.error == "invalid_target", "\(answer.body)")
        }
        let device = try await visitor.post("company/device_authorization", applicant.credentials.with(["resource": resource]))
        #expect(device.status == 400)
        #expect(device.error == "invalid_target")
    }

    @Test("grants without a code accept resources as well")
    func furtherGrants() async throws {
        let (visitor, applicant) = try await sandbox()
        let bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        for form in [
            ["grant_type": "client_credentials"], ["grant_type": "password", "username": "alice", "password": "alice-password"],
            ["grant_type": bearer, "assertion": try applicant.assertion(["sub": "alice"])],
        ] as [FormFields] {
            let tokens = try await visitor.post("company/token", naming([Self.files, Self.mail], form.with(applicant.credentials)))
            let claims = try await Company.claims(tokens.accessToken, at: visitor)
            #expect(claims["aud"] == [.string(Self.files), .string(Self.mail)], "\(tokens.body)")
        }
    }

    @Test("device codes, the implicit flow, pushed requests and request objects accept resources")
    func carriers() async throws {
        let (visitor, applicant) = try await sandbox()
        let request = Requests.company.with(["client_id": "app"])
        let implicit = try await visitor.authorize(
            "company/authorize", naming([Self.files], request.with(["response_type": "token", "nonce": "n"])))
        #expect(try await audiences(visitor, applicant, implicit.redirected["access_token"] ?? "") == [Self.files])

        let object = try applicant.assertion([
            "aud": "https://login.company.example", "resource": [.string(Self.files), .string(Self.mail)], "sub": "x",
        ])
        for further in [naming([Self.files, Self.mail]), ["request": object]] {
            var fields = request.with(applicant.credentials)
            fields.fields += further.fields
            let pushed = try await visitor.post("company/par", fields)
            let uri = try #require(pushed.json["request_uri"]?.stringValue, "\(pushed.body)")
            let code = try await visitor.authorize("company/authorize", ["client_id": "app", "request_uri": uri]).redirected["code"]
            let tokens = try await visitor.post(
                "company/token",
                applicant.credentials.with([
                    "grant_type": "authorization_code", "code": code ?? "", "redirect_uri": Visitor.redirectURI,
                ]))
            #expect(try await audiences(visitor, applicant, tokens.accessToken) == [Self.files, Self.mail], "\(tokens.body)")
        }

        let begun = try await visitor.post("company/device_authorization", naming([Self.files, Self.mail], applicant.credentials))
        let page = try await visitor.get("company/device", ["user_code": begun.json["user_code"]?.stringValue ?? ""])
        _ = try await visitor.press("action", "allow", on: page)
        let poll: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": begun.json["device_code"]?.stringValue ?? "",
        ]
        let tokens = try await visitor.post("company/token", naming([Self.mail], poll.with(applicant.credentials)))
        #expect(try await audiences(visitor, applicant, tokens.accessToken) == [Self.mail], "\(tokens.body)")
    }

    @Test("Keycloak ignores them")
    func realm() async throws {
        let (visitor, applicant) = try await sandbox()
        let keycloak = Visitor(visitor.cloud, base: "/realms/")
        let form = applicant.credentials.with(["grant_type": "client_credentials", "resource": Self.files])
        let answer = try await keycloak.post("company/protocol/openid-connect/token", form)
        #expect(try JSONWebToken(parsing: answer.accessToken).claims["aud"] == "account")
        let twice = naming([Self.files, Self.mail], Requests.company.with(["client_id": "app"]))
        let refused = try await keycloak.get("company/protocol/openid-connect/auth", twice)
        #expect(refused.redirected["error"] == "invalid_request")
    }
}

@Suite("Registered scopes of a client (RFC 7591 section 2)")
struct RegisteredScopeTests {
    @Test("limit the scope of every grant")
    func bound() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.scope = "openid profile"
            metadata.jwks = try applicant.jwks
        }
        for (scope, isGood) in [("openid profile", true), ("openid email", false)] {
            for form in [
                ["grant_type": "client_credentials"], ["grant_type": "password", "username": "alice", "password": "alice-password"],
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion": try applicant.assertion(["sub": "alice"]),
                ],
            ] as [FormFields] {
                let answer = try await visitor.post("company/token", form.with(applicant.credentials).with(["scope": scope]))
                #expect(isGood ? answer.status == 200 : answer.error == "invalid_scope", "\(answer.body)")
            }
            let device = try await visitor.post("company/device_authorization", applicant.credentials.with(["scope": scope]))
            #expect(isGood ? device.status == 200 : device.error == "invalid_scope", "\(device.body)")
        }
    }

    @Test("that are blank do not limit the scope", arguments: ["", " "])
    func blank(scope: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { $0.scope = scope }
        #expect(try await applicant.tokens(visitor).json["scope"] == "openid profile offline_access")
    }
}
