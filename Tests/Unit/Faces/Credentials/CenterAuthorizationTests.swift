import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("The OIDC service of IAM Identity Center")
struct CenterAuthorizationTests {
    @Test("registers clients for 90 days (K15)")
    func registration() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.post("/client/register", ["clientName": "cli", "clientType": "public"])
            #expect(answer.status == 200)
            let issued = try #require(answer.json["clientIdIssuedAt"]?.integerValue)
            #expect(answer.json["clientSecretExpiresAt"]?.integerValue == issued + 90 * 86_400)
            #expect(answer.member("tokenEndpoint") == "http://127.0.0.1:4566/token")
            #expect(answer.member("authorizationEndpoint") == "http://127.0.0.1:4566/authorize")
            #expect(answer["Cache-Control"] == "no-store")
            #expect(answer.journal.face == "sso-oidc")
            #expect(answer.journal.operation == "RegisterClient")
        }
    }

    @Test(
        "refuses registrations with the exception, the status and the error (K15)",
        arguments: [
            ("{}", "InvalidRequestException", "invalid_request"), ("[]", "InvalidRequestException", "invalid_request"),
            ("{\"clientName\":\"a\",\"clientType\":\"secret\"}", "InvalidClientMetadataException", "invalid_client_metadata"),
            ("{\"clientName\":\"a\",\"clientType\":\"public\",\"scopes\":[\"x\"]}", "InvalidScopeException", "invalid_scope"),
            ("{\"clientName\":\"a\",\"clientType\":\"public\",\"scopes\":\"x\"}", "InvalidRequestException", "invalid_request"),
            (
                "{\"clientName\":\"a\",\"clientType\":\"public\",\"grantTypes\":[\"password\"]}", "UnsupportedGrantTypeException",
                "unsupported_grant_type"
            ),
            (
                "{\"clientName\":\"a\",\"clientType\":\"public\",\"redirectUris\":[\"http://evil.example/\"]}",
                "InvalidRedirectUriException", "invalid_redirect_uri"
            ),
            (
                "{\"clientName\":\"a\",\"clientType\":\"public\",\"issuerUrl\":\"https://other.example/start\"}",
                "InvalidRequestException", "invalid_request"
            ),
        ])
    func wrongRegistration(body: String, exception: String, error: String) async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.send(.post, "/client/register", body: body)
            #expect(answer.status == 400)
            #expect(answer.exception == exception)
            #expect(answer.member("error") == error)
            #expect(answer.member("error_description")?.isEmpty == false)
            #expect(answer.journal.errorCode == exception)
        }
    }

    @Test("requires the client's own secret until the registration expires, with 401 (K15)")
    func clients() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let (one, other) = (try await sandbox.register(), try await sandbox.register())
            for client in [
                CenterSandbox.Registered(id: "x", secret: one.secret), .init(id: one.id, secret: "x"),
                .init(id: one.id, secret: other.secret),
            ] {
                let answer = try await sandbox.poll(client, "x")
                #expect(answer.status == 401)
                #expect(answer.exception == "InvalidClientException")
                #expect(answer.member("error") == "invalid_client")
            }
            #expect(try await sandbox.poll(one, "x").exception == "InvalidGrantException")
            try await sandbox.cloud.age(by: .seconds(90 * 86_400))
            let answer = try await sandbox.poll(one, "x")
            #expect(answer.exception == "InvalidClientException")
            #expect(answer.journal.cause == "The registration has expired.")
        }
    }

    @Test("starts device authorizations at the start URL of the instance (K16)")
    func device() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let answer = try await sandbox.post(
                "/device_authorization", client.with(["startUrl": .string(CenterSandbox.startURL + "/#/")]))
            #expect(answer.status == 200, "\(answer.text)")
            let page = "http://127.0.0.1:4566/idp/company/identity-center/device"
            #expect(answer.member("verificationUri") == page)
            #expect(answer.member("verificationUriComplete") == "\(page)?user_code=\(answer.member("userCode") ?? "")")
            #expect(answer.json["expiresIn"] == 600)
            #expect(answer.json["interval"] == 5)
            let wrong = try await sandbox.post("/device_authorization", client.with(["startUrl": "https://other.awsapps.com/start"]))
            #expect(wrong.exception == "InvalidRequestException")
        }
    }

    @Test("answers polls by the sandbox's clock: pending, slow down, expired (K16)")
    func polls() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let codes = try await sandbox.startDevice(client)
            let first = try await sandbox.poll(client, codes.deviceCode)
            #expect(first.status == 400)
            #expect(first.exception == "AuthorizationPendingException")
            #expect(first.member("error") == "authorization_pending")
            let second = try await sandbox.poll(client, codes.deviceCode)
            #expect(second.exception == "SlowDownException")
            #expect(second.member("error") == "slow_down")
            try await sandbox.cloud.age(by: .seconds(11))
            #expect(try await sandbox.poll(client, codes.deviceCode).exception == "AuthorizationPendingException")
            try await sandbox.cloud.age(by: .seconds(600))
            let last = try await sandbox.poll(client, codes.deviceCode)
            #expect(last.status == 400)
            #expect(last.exception == "ExpiredTokenException")
            #expect(last.member("error") == "expired_token")
        }
    }

    @Test("issues tokens for an approved device once, and none for a denied one (K15, K16)")
    func decisions() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let denied = try await sandbox.startDevice(client)
            try await sandbox.deny(denied.userCode)
            let refusal = try await sandbox.poll(client, denied.deviceCode)
            #expect(refusal.exception == "AccessDeniedException")
            #expect(refusal.member("error") == "access_denied")
            let codes = try await sandbox.startDevice(client)
            try await sandbox.approve(codes.userCode, of: client)
            // Another client does not get the tokens.
            let other = try await sandbox.register()
            #expect(try await sandbox.poll(other, codes.deviceCode).exception == "InvalidGrantException")
            let answer = try await sandbox.poll(client, codes.deviceCode)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json.names == ["accessToken", "tokenType", "expiresIn", "refreshToken"])
            #expect(answer.member("tokenType") == "Bearer")
            #expect(answer.json["expiresIn"] == 3600)
            #expect(answer.journal.caller == "alice")
            #expect(try await sandbox.poll(client, codes.deviceCode).exception == "InvalidGrantException")
        }
    }

    @Test("redeems codes once, with the redirect URI and the verifier of the request (K15)")
    func codes() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register([
                "scopes": [.string(CenterSandbox.scope)], "redirectUris": ["http://127.0.0.1/oauth/callback"],
                "grantTypes": ["authorization_code", "refresh_token"],
            ])
            let tokens = try #require(CenterTokens(in: sandbox.cloud))
            let registered = try #require(tokens.client(client.id))
            #expect(registered.mayRedirect(to: "http://127.0.0.1:50000/oauth/callback"))
            #expect(!registered.mayRedirect(to: "http://127.0.0.1:50000/other"))
            #expect(!registered.mayRedirect(to: "http://127.0.0.1:5x/oauth/callback"))
            #expect(!registered.mayRedirect(to: "http://evil.example/oauth/callback"))
            // RFC 7636, appendix B.
            let (verifier, challenge) = ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            let uri = "http://127.0.0.1:50000/oauth/callback"
            let code = try await tokens.code(for: "alice", to: registered, redirectURI: uri, challenge: challenge)
            func redeem(_ uri: String, _ verifier: String) async throws -> FaceAnswer {
                try await sandbox.post(
                    "/token",
                    client.with([
                        "grantType": "authorization_code", "code": .string(code), "redirectUri": .string(uri),
                        "codeVerifier": .string(verifier),
                    ]))
            }
            #expect(try await redeem("http://127.0.0.1:50001/oauth/callback", verifier).exception == "InvalidGrantException")
            #expect(try await redeem(uri, String(repeating: "a", count: 43)).exception == "InvalidGrantException")
            #expect(try await redeem(uri, "").exception == "InvalidRequestException")
            let answer = try await redeem(uri, verifier)
            #expect(answer.status == 200, "\(answer.text)")
            let token = answer.member("accessToken") ?? ""
            #expect(try await sandbox.portal("/assignment/accounts", token).status == 200)
            // A second use ends the tokens of the first.
            #expect(try await redeem(uri, verifier).exception == "InvalidGrantException")
            #expect(try await sandbox.portal("/assignment/accounts", token).status == 401)
            let device = try await sandbox.post("/device_authorization", client.with(["startUrl": .string(CenterSandbox.startURL)]))
            #expect(device.exception == "UnauthorizedClientException")
        }
    }

    @Test("ends the tokens of a code that two requests use at the same time")
    func concurrentCodes() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let uri = "http://127.0.0.1/oauth/callback"
            let client = try await sandbox.register([
                "scopes": [.string(CenterSandbox.scope)], "redirectUris": [.string(uri)],
                "grantTypes": ["authorization_code", "refresh_token"],
            ])
            let tokens = try #require(CenterTokens(in: sandbox.cloud))
            let registered = try #require(tokens.client(client.id))
            // RFC 7636, appendix B.
            let (verifier, challenge) = ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            for _ in 0..<10 {
                let code = try await tokens.code(for: "alice", to: registered, redirectURI: uri, challenge: challenge)
                @Sendable func redeem() async -> CenterTokens.Issued? {
                    try? await tokens.redeem(code: code, by: registered, redirectURI: uri, verifier: verifier)
                }
                async let one = redeem()
                async let other = redeem()
                let issued = await [one, other].compactMap { $0 }
                #expect(issued.count == 1)
                for answer in issued { #expect(try tokens.holder(ofAccessToken: answer.accessToken) == nil) }
            }
        }
    }

    @Test("refreshes tokens with each refresh token once, for 8 hours after the login (K15)")
    func refresh() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let first = try await sandbox.logIn("alice", client).member("refreshToken") ?? ""
            func refresh(_ token: String) async throws -> FaceAnswer {
                try await sandbox.post("/token", client.with(["grantType": "refresh_token", "refreshToken": .string(token)]))
            }
            let answer = try await refresh(first)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await refresh(first).exception == "InvalidGrantException")
            // A second use at the same time, by another process with the same cache, does not end the login.
            let second = answer.member("refreshToken") ?? ""
            try await sandbox.cloud.age(by: .seconds(7 * 3600 + 1800))
            #expect(try await sandbox.portal("/assignment/accounts", answer.member("accessToken") ?? "").status == 401)
            let late = try await refresh(second)
            #expect(late.status == 200, "\(late.text)")
            #expect((late.json["expiresIn"]?.integerValue ?? 3600) <= 1800)
            try await sandbox.cloud.age(by: .seconds(1800))
            #expect(try await refresh(late.member("refreshToken") ?? "").exception == "InvalidGrantException")
        }
    }

    @Test("ends a login whose refresh token is used again after a minute (RFC 9700 section 4.14.2)")
    func reuse() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            func refresh(_ answer: FaceAnswer) async throws -> FaceAnswer {
                let token = answer.json["refreshToken"] ?? .null
                return try await sandbox.post("/token", client.with(["grantType": "refresh_token", "refreshToken": token]))
            }
            let first = try await sandbox.logIn("alice", client)
            let second = try await refresh(first)
            #expect(second.status == 200, "\(second.text)")
            try await sandbox.cloud.age(by: .seconds(61))
            #expect(try await refresh(first).exception == "InvalidGrantException")
            #expect(try await sandbox.portal("/assignment/accounts", second.member("accessToken") ?? "").status == 401)
            #expect(try await refresh(second).exception == "InvalidGrantException")
        }
    }

    @Test("issues no refresh token to a client without scopes, whose access token lasts 8 hours (K19)")
    func legacy() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.logIn("alice", try await sandbox.register([:]))
            #expect(answer.json["refreshToken"] == nil)
            #expect(answer.json["expiresIn"] == 28_800)
        }
    }

    @Test("ends the tokens of a person who is disabled (K17)")
    func disabled() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let client = try await sandbox.register()
            let answer = try await sandbox.logIn("alice", client)
            var alice = try #require(sandbox.cloud.directory.providers["company"]?.person(named: "alice"))
            alice.isEnabled = false
            let changed = alice
            try await sandbox.cloud.edit { $0.put(changed, at: "company") }
            #expect(try await sandbox.portal("/assignment/accounts", answer.member("accessToken") ?? "").status == 401)
        }
    }

    @Test("refuses what Virga does not serve by its name (K15)")
    func absent() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let answer = try await sandbox.post("/token?aws_iam=t", ["grantType": "authorization_code"])
            #expect(answer.status == 404)
            #expect(answer.exception == "UnknownOperationException")
            #expect(answer.member("message") == "Virga does not serve CreateTokenWithIAM of sso-oauth.")
            #expect(answer.journal.operation == "CreateTokenWithIAM")
            let unknown = try await sandbox.send(.get, "/unknown", authority: "oidc.us-east-1.amazonaws.com")
            #expect(unknown.exception == "UnknownOperationException")
            let type = try await sandbox.post("/token", try await sandbox.register().with(["grantType": "password"]))
            #expect(type.exception == "UnsupportedGrantTypeException")
        }
    }

    @Test("gives nothing to pages of browsers and to rebound hosts (K38)")
    func browsers() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let body = "{\"clientName\":\"cli\",\"clientType\":\"public\"}"
            #expect(try await sandbox.send(.post, "/client/register", ["Origin": "http://evil.example"], body: body).status == 403)
            #expect(try await sandbox.send(.post, "/client/register", body: body, authority: "rebound.example").status == 403)
            let token = ["x-amz-sso_bearer_token": try await sandbox.token()]
            let page = token.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
            #expect(try await sandbox.send(.get, "/assignment/accounts", page).status == 403)
            #expect(try await sandbox.send(.get, "/assignment/accounts", token, authority: "rebound.example").status == 403)
            let authorize = try await sandbox.send(.get, "/authorize?response_type=code&client_id=x", authority: "rebound.example")
            #expect(authorize.status == 403)
        }
    }

    @Test("leads browsers to the pages of the identity provider (K20)")
    func entrance() async throws {
        try await CenterSandbox.run { sandbox async throws in
            let query = "response_type=code&client_id=x&state=a%20b"
            let authorize = try await sandbox.send(.get, "/authorize?\(query)", authority: "oidc.us-east-1.amazonaws.com")
            #expect(authorize.status == 302)
            #expect(authorize["Location"] == "http://oidc.us-east-1.amazonaws.com/idp/company/identity-center/authorize?\(query)")
            let portal = try await sandbox.send(.get, "/start/", authority: "d-0123456789.awsapps.com")
            #expect(portal["Location"] == "http://d-0123456789.awsapps.com/idp/company/identity-center/device")
        }
    }
}
