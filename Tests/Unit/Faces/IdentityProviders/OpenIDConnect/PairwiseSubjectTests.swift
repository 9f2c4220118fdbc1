import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Pairwise subject identifiers (OpenID Connect Core 1.0 section 8.1)")
struct PairwiseSubjectTests {
    private static let publicSubject = "employee-0001-alice"
    private static let tokenTypes = "urn:ietf:params:oauth:token-type:"

    /// The issuer with two applications of one sector, one of another, and one with public subject identifiers.
    private func sandbox(_ web: Web = Web(), accessTokens: IdentityProvider.AccessTokenFormat = .opaque) async throws -> Visitor {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { provider in
            provider.accessTokenFormat = accessTokens
            for (id, sector) in [("first", "one.example"), ("second", "one.example"), ("third", "two.example"), ("open", "")] {
                var client = Client(
                    id: id, secret: "secret", name: id, redirectURIs: [Visitor.redirectURI], applicationID: nil,
                    furtherGrants: FurtherGrant.allCases)
                client.metadata.responseTypes = ["code", "id_token"]
                client.metadata.backchannelLogoutURI = "https://\(id).example/logout"
                client.metadata.postLogoutRedirectURIs = ["https://\(id).example/bye"]
                if !sector.isEmpty {
                    client.metadata.subjectType = .pairwise
                    client.metadata.sectorIdentifierURI = "https://\(sector)/\(id).json"
                }
                provider.clients.append(client)
            }
        }
        return Visitor(cloud, applications: web.applications)
    }

    private func idToken(
        _ visitor: Visitor, _ client: String, _ further: FormFields = [:], as person: String = "alice"
    ) async throws -> String {
        try await Company.login(visitor, as: person, further.with(["client_id": client]))
    }

    private func subject(_ idToken: String) throws -> String {
        try #require(try JSONWebToken(parsing: idToken).claims["sub"]?.stringValue)
    }

    private func tokens(_ visitor: Visitor, _ client: String) async throws -> Answer {
        try await visitor.post(
            "company/token",
            [
                "grant_type": "password", "username": "alice", "password": "alice-password", "scope": "openid offline_access",
                "client_id": client, "client_secret": "secret",
            ])
    }

    @Test("are constant, one for each sector and user")
    func sectors() async throws {
        let visitor = try await sandbox()
        let first = try subject(try await idToken(visitor, "first"))
        #expect(try subject(try await idToken(visitor, "first")) == first)
        #expect(first != Self.publicSubject)
        #expect(!first.contains("alice"))
        #expect(try subject(try await idToken(visitor, "second")) == first)
        #expect(try subject(try await idToken(visitor, "third")) != first)
        #expect(try subject(try await idToken(visitor, "open")) == Self.publicSubject)
        let other = Visitor(visitor.cloud)
        #expect(try subject(try await idToken(other, "first", as: "bob")) != first)
        let types = try await visitor.get("company/.well-known/openid-configuration").json["subject_types_supported"]
        #expect(types == ["public", "pairwise"])
    }

    @Test("are the same at every endpoint and in the ID token", arguments: IdentityProvider.AccessTokenFormat.allCases)
    func endpoints(format: IdentityProvider.AccessTokenFormat) async throws {
        let visitor = try await sandbox(accessTokens: format)
        var answer = try await tokens(visitor, "first")
        let expected = try subject(try await idToken(visitor, "first"))
        for _ in 0..<2 {
            #expect(try subject(try #require(answer.json["id_token"]?.stringValue)) == expected)
            let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(answer.accessToken)"])
            #expect(info.json["sub"]?.stringValue == expected)
            for token in [answer.accessToken, answer.refreshToken] {
                // The identifier is that of the token's client, whichever client calls.
                let form: FormFields = ["token": token, "client_id": "third", "client_secret": "secret"]
                #expect(try await visitor.post("company/introspect", form).json["sub"]?.stringValue == expected)
            }
            if format == .jwt { #expect(try subject(answer.accessToken) == expected) }
            answer = try await visitor.post(
                "company/token",
                ["grant_type": "refresh_token", "refresh_token": answer.refreshToken, "client_id": "first", "client_secret": "secret"])
        }
        let keycloak = Visitor(visitor.cloud, base: "/realms/")
        let access = try await keycloak.post(
            "company/protocol/openid-connect/token",
            ["grant_type": "password", "username": "alice", "password": "alice-password", "client_id": "first", "client_secret": "secret"])
        #expect(try subject(access.accessToken) == expected)
    }

    @Test("identify the user in hints and in the claims parameter, where other identifiers do not")
    func hints() async throws {
        let visitor = try await sandbox()
        let hint = try await idToken(visitor, "first")
        let own = try subject(hint)
        let silent: FormFields = ["client_id": "first", "prompt": "none"]
        #expect(try subject(try await idToken(visitor, "first", silent.with(["id_token_hint": hint]))) == own)
        func claims(_ subject: String) -> FormFields { ["claims": "{\"id_token\": {\"sub\": {\"value\": \"\(subject)\"}}}"] }
        #expect(try subject(try await idToken(visitor, "first", silent.with(claims(own)))) == own)
        let third = try subject(try await idToken(visitor, "third"))
        for other in [Self.publicSubject, third, "nobody"] {
            let request = Requests.company.with(["response_type": "id_token", "nonce": "n"]).with(silent).with(claims(other))
            #expect(try await visitor.get("company/authorize", request).redirected["error"] == "login_required", "\(other)")
        }
    }

    @Test("are accepted at logout, and sent to each application in its logout token")
    func logout() async throws {
        let web = Web()
        let visitor = try await sandbox(web)
        var subjects: [String: String] = [:]
        for client in ["first", "third", "open"] { subjects[client] = try subject(try await idToken(visitor, client)) }
        let hint = try await idToken(visitor, "third")
        let answer = try await visitor.get(
            "company/logout", ["id_token_hint": hint, "post_logout_redirect_uri": "https://third.example/bye"])
        #expect(answer.location == "https://third.example/bye", "\(answer.body)")
        #expect(web.posts.count == 3)
        for post in web.posts {
            let claims = try JSONWebToken(parsing: try #require(post.form["logout_token"])).claims
            let client = try #require(claims["aud"]?.stringValue)
            #expect(claims["sub"]?.stringValue == subjects[client])
        }
    }

    @Test("of a token exchange are those of the target application (RFC 8693)")
    func exchange() async throws {
        let visitor = try await sandbox()
        let theirs = try await idToken(visitor, "first")
        let credentials: FormFields = ["client_id": "first", "client_secret": "secret"]
        let form: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": theirs,
            "subject_token_type": "\(Self.tokenTypes)id_token", "actor_token": theirs,
            "actor_token_type": "\(Self.tokenTypes)id_token",
        ]
        let own = try await visitor.post("company/token", form.with(credentials))
        #expect(own.status == 200, "\(own.body)")
        let status = try await visitor.post("company/introspect", credentials.with(["token": own.accessToken])).json
        #expect(status["sub"]?.stringValue == (try subject(theirs)))
        #expect(status["act"]?["sub"] == status["sub"])
        let further: FormFields = ["requested_token_type": "\(Self.tokenTypes)id_token", "audience": "third"]
        let others = try await visitor.post("company/token", form.with(credentials).with(further))
        let claims = try JSONWebToken(parsing: others.accessToken).claims
        let third = try subject(try await idToken(visitor, "third"))
        #expect(claims["aud"] == "third")
        #expect(claims["sub"]?.stringValue == third)
        #expect(claims["act"]?["sub"]?.stringValue == third)
    }

    @Test("identify users in the application's assertions (RFC 7523 section 3)")
    func assertion() async throws {
        let visitor = try await sandbox()
        let applicant = try Applicant(secret: nil)
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.jwks = try applicant.jwks
            metadata.subjectType = .pairwise
        }
        let minted = try await TokenMint(cloud: visitor.cloud).token(order("app"), issuerOrigin: Visitor.origin)
        #expect(minted.subject == (try subject(minted.token)))
        #expect(minted.subject != Self.publicSubject)
        for (name, isKnown) in [(minted.subject, true), (Self.publicSubject, false)] {
            let answer = try await visitor.post(
                "company/token",
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                    "assertion": try applicant.assertion(["sub": .string(name)]),
                ])
            #expect(answer.status == (isKnown ? 200 : 400))
            #expect(answer.entry.caller == (isKnown ? "alice" : answer.entry.caller))
        }
    }

    private func order(_ client: String) -> TokenOrder {
        var order = TokenOrder(provider: "company", user: "alice")
        order.client = client
        return order
    }
}
