import Testing
import WireFormats

extension KeycloakTests {
    @Test("redirects after a logout only to a registered URI")
    func leaving() async throws {
        let visitor = try await realm()
        let path = "\(Self.connect)/logout"
        let query: FormFields = ["client_id": "my_client", "post_logout_redirect_uri": Visitor.redirectURI, "state": "s t"]
        let answer = try await visitor.get(path, query)
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "?"))
        #expect(answer.redirected["state"] == "s t")
        #expect(try await visitor.get(path).status == 200)
        for wrong: FormFields in [
            ["post_logout_redirect_uri": "https://elsewhere.example"], ["client_id": "nobody"], ["client_id": ""],
        ] {
            let refused = try await visitor.get(path, query.with(wrong))
            #expect(refused.status == 400)
            #expect(refused.location.isEmpty)
        }
    }

    @Test("treats a missing password as a wrong one, which RFC 6749 calls a missing parameter")
    func missingPassword() async throws {
        let visitor = try await realm()
        let form = Self.client.with(Self.person).with(["password": ""])
        let answer = try await visitor.post("\(Self.connect)/token", form)
        #expect(answer.status == 401)
        #expect(answer.json["error_description"] == "Invalid user credentials")
        let plain = try await Visitor(visitor.cloud).post("demorealm/token", form)
        #expect(plain.status == 400)
        #expect(plain.json["error"] == "invalid_request")
    }
}
