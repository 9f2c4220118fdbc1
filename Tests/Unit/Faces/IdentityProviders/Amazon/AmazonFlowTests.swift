import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("Further flows of Login with Amazon")
struct AmazonFlowTests {
    @Test("the token is in the query if the request asks for it")
    func queryToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Requests.amazon.with(["response_type": "token", "response_mode": "query"])
        let answer = try await visitor.authorize("amazon/ap/oa", request)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?access_token=Atza%7C"))
        let page = try await Visitor(visitor.cloud).get("amazon/ap/oa", request)
        #expect(page.isLogin)
    }

    @Test("a client that is registered only for codes gets no token")
    func unauthorizedClient() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("amazon") { $0.clients[0].metadata.responseTypes = ["code"] }
        let answer = try await visitor.get("amazon/ap/oa", Requests.amazon.with(["response_type": "token"]))
        #expect(answer.redirected["error"] == "unauthorized_client")
        #expect(answer.redirected["state"] == "s")
        #expect(try await visitor.get("amazon/ap/oa", Requests.amazon).isLogin)
    }

    @Test("a client identifier has at most 100 bytes")
    func longClientID() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let long = String(repeating: "x", count: 101)
        let answer = try await visitor.get("amazon/ap/oa", Requests.amazon.with(["client_id": long]))
        #expect(answer.status == 400)
        #expect(answer.entry.errorCode == "invalid_request")
    }

    @Test("an application without a secret uses its code verifier")
    func publicClient() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("amazon") { $0.clients[0].secret = nil }
        let request = Requests.amazon.with(["code_challenge": Requests.challenge, "code_challenge_method": "S256"])
        let code = try #require(try await visitor.authorize("amazon/ap/oa", request).redirected["code"])
        let form: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI,
            "client_id": "amzn1.application-oa2-client.personalfiles",
        ]
        #expect(try await visitor.post("amazon/auth/o2/token", form).json["error"] == "invalid_grant")
        let good = try await visitor.post("amazon/auth/o2/token", form.with(["code_verifier": Requests.verifier]))
        #expect(good.json["access_token"] != nil)
    }

    @Test("a postal code needs its scope, and a profile needs one of Amazon's scopes")
    func scopes() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("amazon") { $0.people[0].claims["postal_code"] = "98052" }
        let answer = try await visitor.authorize("amazon/ap/oa", Requests.amazon.with(["response_type": "token", "scope": "postal_code"]))
        let token = try #require(answer.redirected["access_token"])
        let profile = try await visitor.get("amazon/user/profile", ["access_token": token])
        #expect(profile.json.objectValue?.names == ["user_id", "postal_code"])
        let provider = try #require(visitor.cloud.directory.providers["amazon"])
        let bare = try await TokenMint(cloud: visitor.cloud).accessToken(
            Approval(
                provider: provider, client: provider.clients[0], person: provider.people[0], scopes: ["other"],
                authenticated: visitor.cloud.clock.now))
        let refused = try await visitor.get("amazon/user/profile", ["access_token": bare])
        #expect(refused.status == 401)
        #expect(refused.json["error"] == "insufficient_scope")
    }

    @Test(
        "an outage and a refusal have Amazon's messages",
        arguments: [("server_error", 500, "ServerError"), ("ServerError", 500, "ServerError"), ("invalid_token", 401, "invalid_token")])
    func faults(code: String, status: Int, error: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = visitor.cloud.faults.add(FaultRule(service: "amazon", action: "TokenInfo", failure: .init(code: code)))
        let answer = try await visitor.get("amazon/auth/o2/tokeninfo", ["access_token": "x"])
        #expect(answer.status == status)
        #expect(answer.json["error"]?.stringValue == error)
    }
}
