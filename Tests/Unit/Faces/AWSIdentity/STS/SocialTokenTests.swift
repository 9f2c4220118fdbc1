import Cloud
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("A social provider's token at AssumeRoleWithWebIdentity")
struct SocialTokenTests {
    private static let providers = [
        Provider(name: "facebook", id: "graph.facebook.com", client: "1234", subject: "10000"),
        Provider(name: "amazon", id: "www.amazon.com", client: "amzn1.client.x", subject: "amzn1.account.A"),
    ]

    struct Provider: Sendable, CustomTestStringConvertible {
        var name: String
        var id: String
        var client: String
        var subject: String
        var testDescription: String { name }

        var rejection: String { "\(id): \(id) responded with HTTP/1.1 400 Bad Request" }
    }

    @Test("identifies user and application", arguments: providers)
    func good(_ provider: Provider) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume(provider.name, sts.token(provider.name), ["ProviderId": provider.id])
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["SubjectFromWebIdentityToken"] == provider.subject)
            #expect(answer["Audience"] == provider.client)
            #expect(answer["Provider"] == provider.id)
            #expect(answer.journal.caller == "\(provider.id):\(provider.subject)")
        }
    }

    @Test("that has expired, was revoked or was never issued is rejected", arguments: providers)
    func rejected(_ provider: Provider) async throws {
        try await STSSandbox.run { sts async throws in
            func refuse(_ token: String) async throws {
                let answer = try await sts.assume(provider.name, token, ["ProviderId": provider.id])
                #expect(answer.status == 403)
                #expect(answer.code == "IDPRejectedClaim")
                #expect(answer.message == provider.rejection)
            }
            try await refuse("Atza|unknown")
            let revoked = try await sts.token(provider.name)
            try await sts.cloud.grants.revoke(revoked)
            try await refuse(revoked)
            let expired = try await sts.token(provider.name, lifetime: 600)
            try await sts.cloud.age(by: .seconds(600))
            try await refuse(expired)
            let earlier = try await sts.token(provider.name)
            try await sts.cloud.reset()
            try await refuse(earlier)
        }
    }

    @Test("of Amazon may have its bar percent-encoded twice")
    func doubleEncoding() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("amazon")
            #expect(token.hasPrefix("Atza|"))
            let answer = try await sts.assume("amazon", "Atza%7C" + token.dropFirst(5), ["ProviderId": "www.amazon.com"])
            #expect(answer.status == 200)
        }
    }

    @Test("is accepted only with its provider's ProviderId")
    func wrongProvider() async throws {
        try await STSSandbox.run { sts async throws in
            let idToken = try await sts.token()
            let amazon = try await sts.assume("amazon", idToken, ["ProviderId": "www.amazon.com"])
            #expect(amazon.status == 400)
            #expect(amazon.code == "InvalidIdentityToken")
            #expect(amazon.message == "Provided Token is not a Login With Amazon token")
            let facebook = try await sts.assume("facebook", idToken, ["ProviderId": "graph.facebook.com"])
            #expect(facebook.status == 403)
            #expect(facebook.code == "IDPRejectedClaim")
            let swapped = try await sts.assume("facebook", sts.token("amazon"), ["ProviderId": "graph.facebook.com"])
            #expect(swapped.code == "IDPRejectedClaim")
            let nameless = try await sts.assume("facebook", sts.token("facebook"))
            #expect(nameless.code == "InvalidIdentityToken")
            #expect(nameless.message?.contains("not a valid JWT") == true)
            let wrongRole = try await sts.assume("amazon", sts.token("facebook"), ["ProviderId": "graph.facebook.com"])
            #expect(wrongRole.status == 403)
            #expect(wrongRole.code == "AccessDenied")
        }
    }

    @Test(
        "is refused with any other spelling of the ProviderId",
        arguments: [
            "accounts.google.com", "https://graph.facebook.com", "graph.facebook.com:443", "GRAPH.facebook.com", "www.amazon.com/",
            "github.com", "xxxx",
        ])
    func unknownProvider(id: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("facebook", sts.token("facebook"), ["ProviderId": id])
            #expect(answer.status == 403)
            #expect(answer.code == "AccessDenied")
            #expect(
                answer.message == "Unrecognized OAuth provider. Do not include a provider parameter when submitting OpenIDConnect ID tokens"
            )
        }
    }
}
