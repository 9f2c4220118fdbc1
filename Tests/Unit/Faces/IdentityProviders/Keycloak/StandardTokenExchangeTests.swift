import Cloud
import Directory
import Fixtures
import Testing
import Tokens
import WireFormats

/// The texts are those of Keycloak's `StandardTokenExchangeProvider`.
@Suite("Keycloak's standard token exchange")
struct StandardTokenExchangeTests {
    private static let types = "urn:ietf:params:oauth:token-type:"
    private static let exchange: FormFields = [
        "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token_type": types + "access_token",
    ]

    private func realm() async throws -> (Realm, Answer) {
        let realm = try await Realm { provider in
            for index in [0, 1] { provider.clients[index].furtherGrants = [.password, .tokenExchange] }
            provider.people[0].claims["resource_access"] = ["web": ["roles": ["reader"]]]
        }
        return (realm, try await realm.token(Realm.person))
    }

    @Test("exchanges an access token for one for a client of which the person has a role")
    func access() async throws {
        let (realm, tokens) = try await realm()
        let form = Self.exchange.with(["subject_token": tokens.accessToken])
        let own = try await realm.token(form)
        #expect(own.status == 200, "\(own.body)")
        #expect(own.json["issued_token_type"]?.stringValue == Self.types + "access_token")
        #expect(own.json["session_state"] == tokens.json["session_state"])
        let other = try await realm.token(form.with(["audience": "web"]))
        #expect(try JSONWebToken(parsing: other.accessToken).claims["aud"] == ["web"])
        // The audience of the token may exchange it, too.
        #expect(try await realm.token(form, as: Realm.other).status == 200)
        let missing = try await realm.token(form.with(["audience": "cli"]))
        #expect(missing.status == 400)
        #expect(missing.errorDescription == "Requested audience not available: cli")
        let unknown = try await realm.token(form.with(["audience": "nobody"]))
        #expect(unknown.error == "invalid_client")
        #expect(unknown.errorDescription == "Audience not found")
    }

    @Test("issues tokens for the audiences that mappers of the client add")
    func mappedAudiences() async throws {
        let (realm, tokens) = try await realm()
        try await realm.visitor.change("demorealm") { provider in
            var settings = KeycloakClient()
            settings.mappers = [
                KeycloakMapper(id: "m", name: "for cli", kind: .audience, config: ["included.client.audience": "cli"])
            ]
            provider.clients[0].keycloak = settings
        }
        let answer = try await realm.token(Self.exchange.with(["subject_token": tokens.accessToken, "audience": "cli"]))
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try JSONWebToken(parsing: answer.accessToken).claims["aud"] == ["cli"])
    }

    @Test("refuses tokens of other persons and of other types", arguments: ["requested_subject", "requested_issuer", "subject_issuer"])
    func parameters(name: String) async throws {
        let (realm, tokens) = try await realm()
        let form = Self.exchange.with(["subject_token": tokens.accessToken]).with(FormFields(dictionaryLiteral: (name, "testuser")))
        let refused = try await realm.token(form)
        #expect(refused.status == 400)
        #expect(refused.error == "invalid_request")
        #expect(refused.errorDescription == "Parameter '\(name)' is not supported for standard token exchange")
    }

    @Test("takes access tokens only", arguments: ["id_token", "refresh_token", "jwt", "saml2"])
    func types(type: String) async throws {
        let (realm, tokens) = try await realm()
        let token = tokens.json[type]?.stringValue ?? tokens.accessToken
        let form = Self.exchange.with(["subject_token": token, "subject_token_type": Self.types + type])
        let refused = try await realm.token(form)
        #expect(refused.status == 400)
        #expect(refused.errorDescription == "Parameter 'subject_token' supports access tokens only")
    }

    @Test("refuses incomplete requests and unknown tokens")
    func refusals() async throws {
        let (realm, tokens) = try await realm()
        let missing = try await realm.token(Self.exchange)
        #expect(missing.errorDescription == "Parameter 'subject_token' required for standard token exchange")
        let unknown = try await realm.token(Self.exchange.with(["subject_token": "x"]))
        #expect(unknown.errorDescription == "Invalid token")
        let form = Self.exchange.with(["subject_token": tokens.accessToken])
        let type = try await realm.token(form.with(["requested_token_type": Self.types + "refresh_token"]))
        #expect(type.errorDescription == "requested_token_type unsupported")
        try await realm.visitor.change("demorealm") { $0.clients[0].furtherGrants = [.password] }
        #expect(try await realm.token(form).errorDescription == "Standard token exchange is not enabled for the requested client")
    }

    @Test("refuses a client that the token is not for")
    func foreign() async throws {
        let (realm, tokens) = try await realm()
        try await realm.visitor.change("demorealm") { $0.people[0].claims["resource_access"] = nil }
        let refused = try await realm.token(Self.exchange.with(["subject_token": tokens.accessToken]), as: Realm.other)
        #expect(refused.status == 403)
        #expect(refused.errorDescription == "Client is not within the token audience")
    }
}
