import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// The ways in which a client gets an access token.
enum ScopeFlow: String, CaseIterable {
    case code, pushed, implicit, hybrid, password, device, clientCredentials, assertion
}

/// An application that requests scopes by any flow.
struct ScopeApplicant {
    static let orders = "https://orders.example"
    static let mail = "urn:example:mail"

    let visitor: Visitor
    let applicant: Applicant

    /// - Parameter scope: the registered scopes; `nil` for none.
    init(scope: String? = nil, change: (inout IdentityProvider) -> Void = { _ in }) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await Company.change(visitor.cloud, change)
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.scope = scope
            metadata.responseTypes = ["code", "token", "code token"]
            metadata.jwks = try applicant.jwks
        }
        self.visitor = visitor
        self.applicant = applicant
    }

    /// A provider with two APIs.
    static func addAPIs(_ provider: inout IdentityProvider) {
        provider.apis = [
            ResourceServer(identifier: orders, scopes: [.init("orders.read", text: "See your orders"), .init("orders.write")]),
            ResourceServer(identifier: mail, scopes: [.init("mail.send")]),
        ]
    }

    /// What an application gets.
    struct Outcome {
        var error: String?
        var scope: String?
        var token: String
        var answer: Answer
    }

    func run(_ flow: ScopeFlow, scope: String, _ further: FormFields = [:]) async throws -> Outcome {
        let own = applicant.credentials.with(["scope": scope])
        let request = Requests.company.with(["client_id": applicant.id, "scope": scope, "nonce": "n"]).with(further)
        switch flow {
        case .code: return try await redeem(try await visitor.authorize("company/authorize", request))
        case .pushed:
            let pushed = try await visitor.post("company/par", request.with(applicant.credentials))
            guard let uri = pushed.json["request_uri"]?.stringValue else { return outcome(pushed) }
            return try await redeem(
                try await visitor.authorize("company/authorize", ["client_id": applicant.id, "request_uri": uri]))
        case .implicit, .hybrid:
            let type = flow == .hybrid ? "code token" : "token"
            let answer = try await visitor.authorize("company/authorize", request.with(["response_type": type]))
            return Outcome(
                error: answer.redirected["error"], scope: answer.redirected["scope"], token: answer.redirected["access_token"] ?? "",
                answer: answer)
        case .password:
            let form: FormFields = ["grant_type": "password", "username": "alice", "password": "alice-password"]
            return outcome(try await visitor.post("company/token", form.with(own).with(further)))
        case .clientCredentials:
            return outcome(try await visitor.post("company/token", own.with(["grant_type": "client_credentials"]).with(further)))
        case .assertion:
            let form: FormFields = [
                "grant_type": FurtherGrant.jwtBearer.rawValue, "assertion": try applicant.assertion(["sub": "alice"]),
            ]
            return outcome(try await visitor.post("company/token", form.with(own).with(further)))
        case .device: return try await device(own.with(further))
        }
    }

    private func device(_ form: FormFields) async throws -> Outcome {
        let begun = try await visitor.post("company/device_authorization", form)
        guard let code = begun.json["device_code"]?.stringValue else { return outcome(begun) }
        var page = try await visitor.get("company/device", ["user_code": begun.json["user_code"]?.stringValue ?? ""])
        if page.isLogin { page = try await visitor.press("person", "alice", on: page) }
        _ = try await visitor.press("action", "allow", on: page)
        let poll: FormFields = ["grant_type": FurtherGrant.deviceCode.rawValue, "device_code": code]
        return outcome(try await visitor.post("company/token", poll.with(applicant.credentials)))
    }

    private func redeem(_ answer: Answer) async throws -> Outcome {
        guard let code = answer.redirected["code"] else {
            return Outcome(error: answer.redirected["error"], scope: nil, token: "", answer: answer)
        }
        let form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
        return outcome(try await visitor.post("company/token", form.with(applicant.credentials)))
    }

    private func outcome(_ answer: Answer) -> Outcome {
        Outcome(error: answer.error, scope: answer.json["scope"]?.stringValue, token: answer.accessToken, answer: answer)
    }

    func status(_ token: String) async throws -> JSONValue {
        try await visitor.post("company/introspect", applicant.credentials.with(["token": token])).json
    }

    func audiences(_ token: String) async throws -> [String] {
        let aud = try await status(token)["aud"]
        return aud?.stringValue.map { [$0] } ?? aud?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    func refresh(_ token: String, _ further: FormFields = [:]) async throws -> Answer {
        let form: FormFields = ["grant_type": "refresh_token", "refresh_token": token]
        return try await visitor.post("company/token", form.with(applicant.credentials).with(further))
    }
}

@Suite("Scopes (RFC 6749 section 3.3)")
struct ScopeTests {
    @Test("of a client's registration are granted by every flow, and are in token and introspection", arguments: ScopeFlow.allCases)
    func registered(flow: ScopeFlow) async throws {
        let app = try await ScopeApplicant(scope: "api.read api.write") { $0.accessTokenFormat = .jwt }
        let granted = try await app.run(flow, scope: "api.write api.read")
        #expect(granted.scope == "api.write api.read", "\(granted.answer.body) \(granted.answer.location)")
        #expect(try JSONWebToken(parsing: granted.token).claims["scope"] == "api.write api.read")
        #expect(try await app.status(granted.token)["scope"] == "api.write api.read")
        #expect(try await app.run(flow, scope: "api.read").scope == "api.read")
    }

    @Test("of an API are granted by every flow, for the API as audience", arguments: ScopeFlow.allCases)
    func api(flow: ScopeFlow) async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let granted = try await app.run(flow, scope: "orders.read")
        #expect(granted.scope == "orders.read", "\(granted.answer.body) \(granted.answer.location)")
        #expect(try await app.status(granted.token)["scope"] == "orders.read")
        #expect(try await app.audiences(granted.token) == [ScopeApplicant.orders])
        let both = try await app.run(flow, scope: "mail.send orders.read")
        #expect(try await app.audiences(both.token) == [ScopeApplicant.orders, ScopeApplicant.mail])
    }

    @Test("that are unknown are refused by every flow, or ignored where the provider says so", arguments: ScopeFlow.allCases)
    func unknown(flow: ScopeFlow) async throws {
        let strict = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let refused = try await strict.run(flow, scope: "orders.read invoices.read")
        #expect(refused.error == "invalid_scope", "\(refused.answer.body)")
        #expect(refused.token.isEmpty)
        let lenient = try await ScopeApplicant { provider in
            ScopeApplicant.addAPIs(&provider)
            provider.unknownScopes = .ignore
        }
        #expect(try await lenient.run(flow, scope: "orders.read invoices.read").scope == "orders.read")
    }

    @Test("outside of the registration are refused by every flow", arguments: ScopeFlow.allCases)
    func unregistered(flow: ScopeFlow) async throws {
        let app = try await ScopeApplicant(scope: "openid orders.read") { provider in
            ScopeApplicant.addAPIs(&provider)
            provider.unknownScopes = .ignore
        }
        for scope in ["orders.write", "openid email", "mail.send orders.read"] {
            #expect(try await app.run(flow, scope: scope).error == "invalid_scope", "\(scope)")
        }
    }

    @Test("of an API are refused to clients that it does not admit", arguments: ScopeFlow.allCases)
    func withheld(flow: ScopeFlow) async throws {
        for (clients, error) in [(["web-app"], "invalid_scope"), (["web-app", "app"], nil)] as [([String], String?)] {
            let app = try await ScopeApplicant(scope: "orders.read") { provider in
                ScopeApplicant.addAPIs(&provider)
                provider.apis[0].clients = clients
            }
            #expect(try await app.run(flow, scope: "orders.read").error == error)
        }
    }

    @Test("that a client has registered are those of its own token if it requests none")
    func defaults() async throws {
        let app = try await ScopeApplicant(scope: "openid api.read api.write")
        let form = app.applicant.credentials.with(["grant_type": "client_credentials"])
        #expect(try await app.visitor.post("company/token", form).json["scope"] == "api.read api.write")
    }

    @Test("are on the consent page with their texts, and in the metadata")
    func consent() async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let request = Requests.company.with(["client_id": "app", "scope": "openid orders.read orders.write"])
        var page = try await app.visitor.get("company/authorize", request)
        page = try await app.visitor.press("person", "alice", on: page)
        #expect(page.body.contains("See your orders <code>orders.read</code>"))
        #expect(page.body.contains("<li>orders.write <code>orders.write</code>"))
        let metadata = try await app.visitor.get("company/.well-known/openid-configuration").json
        let scopes = metadata["scopes_supported"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Array(scopes.suffix(3)) == ["orders.read", "orders.write", "mail.send"])
    }

    @Test("are not extended by a refresh (RFC 6749 section 6)")
    func refresh() async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let first = try await app.run(.code, scope: "openid orders.read mail.send offline_access")
        let token = first.answer.refreshToken
        for scope in ["openid orders.write", "openid orders.read invoices.read", "orders.read email"] {
            #expect(try await app.refresh(token, ["scope": scope]).error == "invalid_scope", "\(scope)")
        }
        let narrow = try await app.refresh(token, ["scope": "orders.read"])
        #expect(narrow.json["scope"] == "orders.read")
        #expect(try await app.audiences(narrow.accessToken) == [ScopeApplicant.orders])
        let whole = try await app.refresh(narrow.refreshToken)
        #expect(whole.json["scope"] == "openid offline_access orders.read mail.send")
        #expect(try await app.audiences(whole.accessToken) == [ScopeApplicant.orders, ScopeApplicant.mail])
        let one = try await app.refresh(whole.refreshToken, ["resource": ScopeApplicant.mail])
        #expect(one.json["scope"] == "openid offline_access mail.send", "the token is for one API, and has its scopes")
        let other: FormFields = ["scope": "openid orders.read", "resource": ScopeApplicant.mail]
        #expect(try await app.refresh(one.refreshToken, other).error == "invalid_scope", "the scope is for another API")
        let identity = try await app.refresh(one.refreshToken, ["scope": "openid", "resource": ScopeApplicant.orders])
        #expect(identity.json["scope"] == "openid")
        #expect(try await app.audiences(identity.accessToken) == [ScopeApplicant.orders])
    }

    @Test("that are given up do not open the way to another API")
    func otherAudience() async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let token = try await app.run(.code, scope: "openid orders.read offline_access").answer.refreshToken
        let refused = try await app.refresh(token, ["scope": "openid", "resource": ScopeApplicant.mail])
        #expect(refused.error == "invalid_target", "\(refused.body)")
    }

    @Test("are not extended by a token exchange, whose client must be registered for them")
    func exchange() async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let other = try Applicant(id: "batch")
        try await other.register(at: app.visitor.cloud) { $0.scope = "openid orders.read" }
        let given: FormFields = [
            "grant_type": FurtherGrant.tokenExchange.rawValue,
            "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
        ]
        func exchange(_ token: String, _ applicant: Applicant, _ further: FormFields = [:]) async throws -> Answer {
            try await app.visitor.post(
                "company/token", given.with(applicant.credentials).with(["subject_token": token]).with(further))
        }
        let first = try await app.run(.code, scope: "openid orders.read orders.write")
        for scope in ["mail.send", "openid invoices.read"] {
            #expect(try await exchange(first.token, app.applicant, ["scope": scope]).error == "invalid_scope", "\(scope)")
        }
        let passed = try await exchange(first.token, app.applicant, ["audience": "batch"])
        #expect(passed.json["scope"] == "openid orders.read orders.write", "\(passed.body)")
        #expect(try await exchange(passed.accessToken, other, ["scope": "orders.write"]).error == "invalid_scope")
        let narrow = try await exchange(passed.accessToken, other)
        #expect(narrow.json["scope"] == "openid orders.read", "\(narrow.body)")
        #expect(try await app.audiences(narrow.accessToken) == [ScopeApplicant.orders])
    }

    @Test("that Keycloak does not know are refused in its words", arguments: ["openid foo", "foo"])
    func realm(scope: String) async throws {
        let app = try await ScopeApplicant()
        let realm = Visitor(app.visitor.cloud, base: "/realms/")
        let connect = "company/protocol/openid-connect"
        let own = app.applicant.credentials.with(["scope": scope])
        for form in [
            ["grant_type": "client_credentials"], ["grant_type": "password", "username": "alice", "password": "alice-password"],
        ] as [FormFields] {
            let answer = try await realm.post("\(connect)/token", form.with(own))
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_scope")
            #expect(answer.json["error_description"]?.stringValue == "Invalid scopes: \(scope)")
        }
        let page = try await realm.get("\(connect)/auth", Requests.company.with(["client_id": "app", "scope": scope]))
        #expect(page.redirected["error"] == "invalid_scope")
        #expect(page.redirected["error_description"] == "Invalid scopes: \(scope)")
        #expect(try await realm.post("\(connect)/auth/device", own).error == "invalid_scope")
        let usual = own.with(["grant_type": "client_credentials", "scope": "openid roles web-origins"])
        #expect(try await realm.post("\(connect)/token", usual).json["scope"] == "openid profile email")
    }
}

@Suite("APIs of a provider")
struct APITests {
    @Test("are selected by resource and by audience", arguments: ["resource", "audience"], ScopeFlow.allCases)
    func selection(parameter: String, flow: ScopeFlow) async throws {
        let app = try await ScopeApplicant(change: ScopeApplicant.addAPIs)
        let granted = try await app.run(flow, scope: "mail.send", [parameter: ScopeApplicant.mail])
        #expect(try await app.audiences(granted.token) == [ScopeApplicant.mail], "\(granted.answer.body)")
        let other = try await app.run(flow, scope: "orders.read", [parameter: ScopeApplicant.mail])
        #expect(other.error == "invalid_scope", "the scope belongs to another API")
        let unknown = try await app.run(flow, scope: "mail.send", [parameter: "https://invoices.example"])
        #expect(unknown.error == "invalid_target")
    }

    @Test("that do not admit a client are refused as targets")
    func withheld() async throws {
        let app = try await ScopeApplicant { provider in
            ScopeApplicant.addAPIs(&provider)
            provider.apis[1].clients = []
        }
        #expect(try await app.run(.code, scope: "openid", ["resource": ScopeApplicant.mail]).error == "invalid_target")
        #expect(try await app.run(.code, scope: "openid", ["resource": ScopeApplicant.orders]).error == nil)
    }

    @Test("have tokens of their own format and lifetime")
    func tokens() async throws {
        let app = try await ScopeApplicant { provider in
            ScopeApplicant.addAPIs(&provider)
            provider.apis[0].tokenFormat = .jwt
            provider.apis[0].tokenLifetime = 60
        }
        let signed = try await app.run(.code, scope: "openid orders.read")
        let claims = try await Company.claims(signed.token, at: app.visitor)
        #expect(try #require(claims["exp"]?.integerValue) - #require(claims["iat"]?.integerValue) == 60)
        #expect(claims["aud"]?.stringValue == ScopeApplicant.orders)
        #expect(signed.answer.json["expires_in"] == 60)
        let identity = try JSONWebToken(parsing: signed.answer.json["id_token"]?.stringValue ?? "").claims
        #expect(try #require(identity["exp"]?.integerValue) - #require(identity["iat"]?.integerValue) == 3600)
        let opaque = try await app.run(.code, scope: "openid mail.send")
        #expect((try? JSONWebToken(parsing: opaque.token)) == nil)
        #expect(opaque.answer.json["expires_in"] == 3600)
        #expect(try await app.status(signed.token)["active"] == true)
        try await app.visitor.cloud.age(by: .seconds(61))
        #expect(try await app.status(signed.token)["active"] == false)
        #expect(try await app.status(opaque.token)["active"] == true)
    }
}
