import Cloud
import Directory
import Fixtures
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Provider faults at AssumeRoleWithWebIdentity")
struct ProviderFaultTests {
    @Test(
        "a failing provider is a communication error, a refusing one rejects the token",
        arguments: [
            ("ServiceUnavailable", 400, "IDPCommunicationError", nil), ("InternalError", 400, "IDPCommunicationError", nil),
            ("190/467", 403, "IDPRejectedClaim", "graph.facebook.com: graph.facebook.com responded with HTTP/1.1 400 Bad Request"),
            ("4", 403, "IDPRejectedClaim", "graph.facebook.com: graph.facebook.com responded with HTTP/1.1 403 Forbidden"),
        ] as [(String, Int, String, String?)])
    func facebook(code: String, status: Int, error: String, message: String?) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("facebook")
            _ = sts.cloud.faults.add(FaultRule(service: "facebook", failure: .init(code: code)))
            let answer = try await sts.assume("facebook", token, ["ProviderId": "graph.facebook.com"])
            #expect(answer.status == status)
            #expect(answer.code == error)
            if let message { #expect(answer.message == message) }
            let again = try await sts.assume("facebook", token, ["ProviderId": "graph.facebook.com"])
            #expect(again.status == 200, "the rule strikes once")
        }
    }

    @Test("a dropped connection to a provider does not truncate the response of STS", arguments: FaultRule.Drop.allCases)
    func dropped(drop: FaultRule.Drop) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("amazon")
            _ = sts.cloud.faults.add(FaultRule(service: "amazon", action: "TokenInfo", drop: drop))
            let answer = try await sts.assume("amazon", token, ["ProviderId": "www.amazon.com"])
            #expect(answer.status == 400)
            #expect(answer.code == "IDPCommunicationError")
        }
    }

    @Test("an issuer without keys is a communication error or an invalid token")
    func keys() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token()
            _ = sts.cloud.faults.add(FaultRule(action: "KeySet", failure: .init(code: "ServiceUnavailable")))
            #expect(try await sts.assume("company", token).code == "IDPCommunicationError")
            _ = sts.cloud.faults.add(FaultRule(action: "KeySet", failure: .init(code: "not_found", status: 404)))
            #expect(try await sts.assume("company", token).code == "InvalidIdentityToken")
            #expect(try await sts.assume("company", token).status == 200)
        }
    }

    @Test("rules for other endpoints of the provider and for other users do not apply")
    func others() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("facebook")
            _ = sts.cloud.faults.add(FaultRule(service: "facebook", action: "Token", failure: .init(code: "2")))
            _ = sts.cloud.faults.add(FaultRule(service: "facebook", caller: "nobody", failure: .init(code: "2")))
            #expect(try await sts.assume("facebook", token, ["ProviderId": "graph.facebook.com"]).status == 200)
        }
    }

    @Test("an account that is blocked at the provider is refused here, and scoped identifiers are the subject")
    func accounts() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("facebook")
            func change(_ change: (inout IdentityProvider) -> Void) async throws {
                try await sts.cloud.edit { directory in
                    guard var provider = directory.providers["facebook"] else { return }
                    change(&provider)
                    directory.put(.provider(provider))
                }
            }
            try await change { provider in
                var app = FacebookApp()
                app.hasScopedIDs = true
                provider.clients[0].facebook = app
            }
            let scoped = try await sts.assume("facebook", token, ["ProviderId": "graph.facebook.com"])
            #expect(scoped["SubjectFromWebIdentityToken"]?.count == 17)
            try await change { provider in
                var account = FacebookAccount()
                account.block = .checkpoint
                for index in provider.people.indices { provider.people[index].facebook = account }
            }
            #expect(try await sts.assume("facebook", token, ["ProviderId": "graph.facebook.com"]).code == "IDPRejectedClaim")
        }
    }
}
