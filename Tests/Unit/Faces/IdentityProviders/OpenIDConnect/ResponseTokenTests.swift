import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Authorization responses as tokens (JARM)")
struct ResponseTokenTests {
    private static let request = Requests.company.with(["nonce": "n-1", "state": "s"])

    @Test(
        "have all parameters as claims (sections 2.1 and 2.3)",
        arguments: [("jwt", "?"), ("query.jwt", "?"), ("fragment.jwt", "#"), ("form_post.jwt", nil)] as [(String, String?)])
    func code(mode: String, separator: String?) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize("company/authorize", Self.request.with(["response_mode": mode]))
        let text: String?
        if let separator {
            #expect(answer.location.hasPrefix(Visitor.redirectURI + separator + "response="))
            #expect(answer.redirected.fields.map(\.name) == ["response"])
            text = answer.redirected["response"]
        } else {
            text = answer.hiddenField("response")
        }
        let claims = try await Company.claims(text, at: visitor)
        #expect(claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(claims["aud"] == "web-app")
        #expect(claims["state"] == "s")
        #expect((590...600).contains(try #require(claims["exp"]?.integerValue) - visitor.cloud.clock.now.seconds))
        let tokens = try await visitor.post(
            "company/token",
            OpenIDConnectTests.client.with([
                "grant_type": "authorization_code", "code": try #require(claims["code"]?.stringValue), "redirect_uri": Visitor.redirectURI,
            ]))
        #expect(tokens.status == 200, "\(tokens.body)")
    }

    @Test("are errors, too")
    func errors() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("company/authorize", Self.request.with(["response_mode": "jwt", "prompt": "none"]))
        #expect(answer.entry.errorCode == "login_required")
        let claims = try await Company.claims(answer.redirected["response"], at: visitor)
        #expect(claims["error"] == "login_required")
        #expect(claims["state"] == "s")
    }

    @Test("are signed with the registered algorithm, and encrypted for clients that registered it")
    func algorithms() async throws {
        let receiver = try Receiver()
        let cloud = try await Company.sandbox { metadata in
            metadata.jwks = receiver.jwks
            metadata.authorizationSignedResponseAlg = "ES384"
            metadata.authorizationEncryptedResponseAlg = "ECDH-ES"
            metadata.responseTypes = ["code id_token"]
        }
        let visitor = Visitor(cloud)
        // Tokens may be in the query if they are encrypted (section 2.3.1).
        let request = Self.request.with(["response_mode": "query.jwt", "response_type": "code id_token"])
        let answer = try await visitor.authorize("company/authorize", request)
        let text = try receiver.open(answer.redirected["response"])
        #expect(try JSONWebToken(parsing: text).algorithm == .es384)
        let claims = try await Company.claims(text, at: visitor)
        #expect(claims["code"] != nil)
        #expect(claims["id_token"] != nil)
    }

    @Test("carry tokens in the fragment, and not in the query")
    func tokens() async throws {
        let cloud = try await Company.sandbox { $0.responseTypes = ["id_token"] }
        let visitor = Visitor(cloud)
        let request = Self.request.with(["response_type": "id_token"])
        let answer = try await visitor.authorize("company/authorize", request.with(["response_mode": "jwt"]))
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#response="))
        let refused = try await visitor.get("company/authorize", request.with(["response_mode": "query.jwt"]))
        #expect(refused.redirected["error"] == "invalid_request")
        let unknown = try await visitor.get("company/authorize", request.with(["response_mode": "post.jwt"]))
        #expect(unknown.redirected["error_description"] == "The response_mode is unknown.")
    }

    @Test("are offered in the metadata")
    func metadata() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let metadata = try await visitor.get("company/.well-known/openid-configuration").json
        let modes: JSONValue = ["query", "fragment", "form_post", "jwt", "query.jwt", "fragment.jwt", "form_post.jwt"]
        #expect(metadata["response_modes_supported"] == modes)
        #expect(metadata["authorization_signing_alg_values_supported"]?.arrayValue?.contains("ES384") == true)
    }
}
