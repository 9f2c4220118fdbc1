import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("The pages of IAM Identity Center")
struct CenterPagesTests {
    private static let redirectURI = "http://127.0.0.1:50000/oauth/callback"
    // RFC 7636, appendix B.
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    private static let seed = """
        {accounts: [{id: "111122223333"}],
         identityProviders: [
           {name: "company", issuer: "https://login.company.example", people: [{name: "alice", subject: "1", password: "p-alice"}]},
           {name: "other", issuer: "https://login.other.example"}],
         identityCenter: {identityProvider: "company", permissionSets: [{name: "Dev"}],
           assignments: [{account: "111122223333", permissionSet: "Dev", people: ["alice"]}]}}
        """

    private func run(_ test: (Visitor, CenterTokens, CenterClient) async throws -> Void) async throws {
        try await withCloud(Self.seed) { cloud async throws in
            let tokens = try #require(CenterTokens(in: cloud))
            let client = try CenterClient(
                registering: .init(
                    name: "aws cli", redirectURIs: ["http://127.0.0.1/oauth/callback"], scopes: ["sso:account:access"], grantTypes: []),
                in: cloud)
            try await test(Visitor(cloud), tokens, client)
        }
    }

    private func request(_ client: CenterClient, _ changes: KeyValuePairs<String, String?> = [:]) -> FormFields {
        var fields: [(String, String)] = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", Self.redirectURI), ("state", "s"),
            ("code_challenge_method", "S256"), ("code_challenge", Self.challenge), ("scopes", "sso:account:access"),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if let value { fields.append((name, value)) }
        }
        var form: FormFields = [:]
        form.fields = fields.map { .init(name: $0.0, value: $0.1) }
        return form
    }

    @Test("issue a code, after login and consent (K20)")
    func code() async throws {
        try await run { visitor, tokens, client async throws in
            let page = try await visitor.get("company/identity-center/authorize", request(client))
            #expect(page.isLogin, "\(page.body)")
            let consent = try await visitor.press("person", "alice", on: page)
            #expect(consent.isConsent, "\(consent.body)")
            #expect(consent.body.contains("aws cli"))
            #expect(consent.body.contains("Afterwards your browser goes to 127.0.0.1:50000."))
            let answer = try await visitor.press("action", "allow", on: consent)
            #expect(answer.location.hasPrefix(Self.redirectURI + "?"))
            #expect(answer.redirected.first("state") == "s")
            let issued = try await tokens.redeem(
                code: answer.redirected.first("code") ?? "", by: client, redirectURI: Self.redirectURI, verifier: Self.verifier)
            #expect(issued.person == "alice")
            // The next client of the same browser needs consent again, but no login.
            #expect(try await visitor.get("company/identity-center/authorize", request(client)).isConsent)
        }
    }

    @Test("return errors to the client (K20)")
    func refusals() async throws {
        try await run { visitor, _, client async throws in
            let page = try await visitor.get("company/identity-center/authorize", request(client))
            let consent = try await visitor.press("person", "alice", on: page)
            let denied = try await visitor.press("action", "deny", on: consent)
            #expect(denied.redirected.first("error") == "access_denied")
            #expect(denied.redirected.first("state") == "s")
            let wrong: [(KeyValuePairs<String, String?>, String)] = [
                (["response_type": "token"], "unsupported_response_type"),
                (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
                (["code_challenge_method": "plain"], "invalid_request"), (["scopes": "sso:account:access other"], "invalid_scope"),
            ]
            for (changes, error) in wrong {
                let answer = try await visitor.get("company/identity-center/authorize", request(client, changes))
                #expect(answer.redirected.first("error") == error, "\(changes)")
            }
        }
    }

    @Test(
        "show errors to the user if the redirect URI or the client is not known (K20)",
        arguments: [
            ("redirect_uri", "http://evil.example/oauth/callback"), ("redirect_uri", "http://127.0.0.1:50000/other"), ("client_id", "x"),
        ])
    func faults(name: String, value: String) async throws {
        try await run { visitor, _, client async throws in
            var form = request(client)
            form.fields.removeAll { $0.name == name }
            form.fields.append(.init(name: name, value: value))
            let answer = try await visitor.get("company/identity-center/authorize", form)
            #expect(answer.status == 400)
            #expect(answer.location.isEmpty)
        }
    }

    @Test("approve and deny devices (K16, K20)", arguments: [true, false])
    func device(isAllowed: Bool) async throws {
        try await run { visitor, tokens, client async throws in
            let userCode = try await tokens.devices.begin(
                for: client.shown, scopes: ["sso:account:access"], as: CenterTokens.deviceForm, deviceCode: "device")
            var page = try await visitor.get("company/identity-center/device", ["user_code": userCode])
            #expect(page.isLogin, "\(page.body)")
            page = try await visitor.press("person", "alice", on: page)
            #expect(page.isConsent, "\(page.body)")
            #expect(page.body.contains("Allow only if your device shows the code \(userCode)."))
            let answer = try await visitor.press("action", isAllowed ? "allow" : "deny", on: page)
            #expect(answer.redirected.first("result") == (isAllowed ? "approved" : "denied"))
            if isAllowed {
                #expect(try await tokens.devices.redeem("device", by: client.id).person == "alice")
            } else {
                await #expect(throws: DeviceGrant.Fault.denied) { try await tokens.devices.redeem("device", by: client.id) }
            }
        }
    }

    @Test("do not know the codes of the issuer's own devices, nor do its pages know theirs")
    func separateCodes() async throws {
        try await run { visitor, tokens, client async throws in
            let userCode = try await tokens.devices.begin(
                for: client.shown, scopes: [], as: CenterTokens.deviceForm, deviceCode: "device")
            #expect(try await visitor.get("company/device", ["user_code": userCode]).status == 400)
        }
    }

    @Test("are only at the issuer whose users Identity Center knows")
    func otherIssuers() async throws {
        try await run { visitor, _, _ async throws in
            #expect(try await visitor.get("company/identity-center/device").status == 200)
            #expect(try await visitor.get("other/identity-center/device").status == 404)
        }
    }
}
