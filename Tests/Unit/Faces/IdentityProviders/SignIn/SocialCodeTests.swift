import Cloud
import HTTPTypes
import Testing
import WireFormats

/// A provider, with the requests that obtain and redeem its codes.
struct Redemption: Sendable, CustomTestStringConvertible {
    var authorization: String
    var request: FormFields
    var endpoint: String
    var client: FormFields
    /// A path that accepts the access token.
    var probe: String
    /// The status of the probe after the token is revoked.
    var refusal: Int
    /// Whether a response is the error of a used code.
    var isUsed: @Sendable (JSONValue) -> Bool

    var testDescription: String { endpoint }

    static let all = [
        Redemption(
            authorization: "facebook/dialog/oauth", request: Requests.facebook, endpoint: "facebook/oauth/access_token",
            client: FacebookTests.client.with(["redirect_uri": Visitor.redirectURI]), probe: "facebook/me", refusal: 400,
            isUsed: { $0["error"]?["error_subcode"] == 36009 }),
        Redemption(
            authorization: "amazon/ap/oa", request: Requests.amazon, endpoint: "amazon/auth/o2/token", client: AmazonTests.client,
            probe: "amazon/user/profile", refusal: 400,
            isUsed: { $0["error_description"] == "The request has an invalid grant parameter : code" }),
        Redemption(
            authorization: "google/o/oauth2/v2/auth", request: Requests.google.with(["access_type": "offline"]), endpoint: "google/token",
            client: GoogleTests.client, probe: "google/v1/userinfo", refusal: 401,
            isUsed: { $0 == ["error": "invalid_grant", "error_description": "Bad Request"] }),
    ]
}

@Suite("Authorization codes of Facebook, Amazon and Google")
struct SocialCodeTests {
    @Test("are redeemed by only one of several concurrent requests, and the others revoke its tokens", arguments: Redemption.all)
    func race(redemption: Redemption) async throws {
        let cloud = try await Visitor.sandbox()
        let visitor = Visitor(cloud)
        let code = try #require(try await visitor.authorize(redemption.authorization, redemption.request).redirected["code"])
        let form = redemption.client.with(["grant_type": "authorization_code", "code": code])
        let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
            for _ in 0..<8 { group.addTask { try await Visitor(cloud).post(redemption.endpoint, form).json } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let tokens = answers.compactMap { $0["access_token"]?.stringValue }
        let token = try #require(tokens.first)
        #expect(tokens.count == 1)
        #expect(answers.filter(redemption.isUsed).count == 7)
        #expect(try await visitor.get(redemption.probe, headers: [.authorization: "Bearer \(token)"]).status == redemption.refusal)
        let refreshToken = answers.compactMap { $0["refresh_token"]?.stringValue }.first
        if let refreshToken {
            let refresh = redemption.client.with(["grant_type": "refresh_token", "refresh_token": refreshToken])
            #expect(try await visitor.post(redemption.endpoint, refresh).json["error"] == "invalid_grant")
        }
        #expect(redemption.isUsed(try await visitor.post(redemption.endpoint, form).json), "it stays known")
    }
}
