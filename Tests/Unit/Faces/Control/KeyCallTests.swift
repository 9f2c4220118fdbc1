import Cloud
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import ControlFace

@Suite("Keys and tokens in the control API")
struct KeyCallTests {
    private static func keys(_ answer: ControlAnswer) -> [JSONValue] { answer.json["keys"]?.arrayValue ?? [] }

    @Test("list the published keys of the providers that sign")
    func list() async throws {
        try await ControlSandbox.run { control async throws in
            let key = try await control.cloud.signingKey(for: "company", algorithm: .es256)
            let answer = try await control.send(.get, "/keys")
            #expect(answer.status == 200)
            #expect(
                answer.json["providers"] == [
                    "company": [
                        [
                            "kid": .string(key.keyID), "alg": "ES256", "created": .string(key.created.iso8601Milliseconds),
                            "stage": "current",
                        ]
                    ], "google": [],
                ])
            #expect(try await control.send(.get, "/keys?provider=google").json["providers"] == ["google": []])
            for (query, status) in [("provider=facebook", 404), ("provider=x", 404), ("kid=x", 400)] {
                #expect(try await control.send(.get, "/keys?\(query)").status == status)
            }
        }
    }

    @Test("rotate keys: the new key signs, the old one is removed after the overlap")
    func rotate() async throws {
        try await ControlSandbox.run { control async throws in
            let first = try await control.cloud.signingKey(for: "company")
            let before = control.cloud.clock.now
            let answer = try await control.send(.post, "/keys/rotate", #"{"provider":"company","overlap":"PT10M"}"#)
            #expect(answer.status == 200)
            #expect(answer.json["provider"] == "company")
            let keys = Self.keys(answer)
            #expect(keys.map { $0["stage"] } == ["current", "retired"])
            #expect(keys.last?["kid"]?.stringValue == first.keyID)
            let leaves = try #require(keys.last?["leaves"]?.stringValue.flatMap { Timestamp(iso8601: $0) })
            #expect((before.seconds...control.cloud.clock.now.seconds).contains(leaves.seconds - 600))
            // An aging shortens the overlap, which the list shows.
            _ = try await control.send(.post, "/clock", #"{"age":"PT5M"}"#)
            let aged = try await control.send(.get, "/keys?provider=company").json["providers"]?["company"]?.arrayValue
            let nearer = try #require(aged?.last?["leaves"]?.stringValue.flatMap { Timestamp(iso8601: $0) })
            #expect(nearer == leaves - .seconds(300))
            _ = try await control.send(.post, "/clock", #"{"age":"PT6M"}"#)
            #expect(try await control.cloud.keys(of: "company").map(\.key.keyID) == [keys[0]["kid"]?.stringValue])
        }
    }

    @Test("publish the next key first, which signs after the rotation")
    func publish() async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(
                .post, "/keys/rotate", #"{"provider":"company","algorithm":"EdDSA","publish":"before"}"#)
            let keys = Self.keys(answer)
            #expect(keys.map { $0["alg"] } == ["RS256", "EdDSA", "EdDSA"])
            #expect(keys.map { $0["stage"] } == ["current", "current", "next"])
            let rotated = try await control.send(.post, "/keys/rotate", #"{"provider":"company","algorithm":"EdDSA","overlap":"PT0S"}"#)
            #expect(Self.keys(rotated).map { $0["kid"] } == [keys[0]["kid"], keys[2]["kid"]])
        }
    }

    @Test(
        "refuse an invalid rotation",
        arguments: [
            ("{}", 400, "missing_member"), (#"{"provider":"x"}"#, 404, "unknown_provider"),
            (#"{"provider":"facebook"}"#, 404, "unknown_provider"),
            (#"{"provider":"company","overlap":"1h"}"#, 400, "malformed_member"),
            (#"{"provider":"company","overlap":3600}"#, 400, "malformed_member"),
            (#"{"provider":"company","overlap":"P5000D"}"#, 400, "malformed_member"),
            (#"{"provider":"company","algorithm":"HS256"}"#, 400, "malformed_member"),
            (#"{"provider":"company","publish":"after"}"#, 400, "malformed_member"),
            (#"{"provider":"company","publish":"before","overlap":"PT1H"}"#, 400, "malformed_member"),
            (#"{"provider":"company","kid":"x"}"#, 400, "unknown_member"),
        ])
    func senseless(body: String, status: Int, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/keys/rotate", body)
            #expect(answer.status == status)
            #expect(answer.error == error)
        }
    }

    @Test("issue tokens of every type, in any algorithm, valid and invalid")
    func tokens() async throws {
        try await ControlSandbox.run { control async throws in
            let body = #"""
                {"provider":"company","user":"alice","type":"access_token","format":"jwt","algorithm":"PS256","scope":"openid email",
                 "claims":{"department":"x"},"missingClaims":["acr"],"header":{"typ":"at+jwt"}}
                """#
            let answer = try await control.send(.post, "/tokens", body)
            #expect(answer.status == 200)
            #expect(answer.json["type"] == "access_token")
            let token = try JSONWebToken(parsing: try #require(answer.json["token"]?.stringValue))
            #expect(token.algorithm == .ps256)
            #expect(token.header["typ"] == "at+jwt")
            #expect(token.claims["department"] == "x")
            #expect(token.claims["acr"] == nil)
            #expect(token.claims["scope"] == "openid email")
            try token.verify(with: try await control.cloud.signingKey(for: "company", algorithm: .ps256).verificationKey)
            let code = try await control.send(
                .post, "/tokens",
                #"{"provider":"company","user":"alice","type":"code","redirect_uri":"https://a.example/","nonce":"n","code_challenge":"c"}"#
            )
            #expect(code.json["type"] == "code")
            #expect(code.json["expires_in"] == 300)
            let bad = try await control.send(.post, "/tokens", #"{"provider":"company","user":"alice","fault":"algNone"}"#)
            #expect(bad.json["token"]?.stringValue?.hasSuffix(".") == true)
        }
    }

    @Test("issue tokens of a realm's issuer, and of no issuer of another provider")
    func issuers() async throws {
        try await ControlSandbox.run { control async throws in
            let realm = #"{"provider":"company","user":"alice","issuer":"http://localhost:4566/realms/company"}"#
            let answer = try await control.send(.post, "/tokens", realm)
            #expect(answer.status == 200)
            let token = try JSONWebToken(parsing: try #require(answer.json["token"]?.stringValue))
            #expect(token.claims["iss"] == "http://localhost:4566/realms/company")
            for issuer in ["http://localhost:4566/idp/other", "https://evil.example/idp/company", "company"] {
                let wrong = try await control.send(
                    .post, "/tokens", #"{"provider":"company","user":"alice","issuer":"\#(issuer)"}"#)
                #expect(wrong.status == 400)
                #expect(wrong.error == "unknown_issuer")
            }
        }
    }

    @Test(
        "refuse a token that cannot be issued",
        arguments: [
            (#""type":"saml""#, "malformed_member"), (#""fault":"all""#, "malformed_member"), (#""algorithm":"none""#, "malformed_member"),
            (#""format":"xml""#, "malformed_member"), (#""missingClaims":"sub""#, "malformed_member"),
            (#""missingClaims":[1]"#, "malformed_member"), (#""header":[]"#, "malformed_member"), (#""scope":[]"#, "malformed_member"),
            (#""code_challenge_method":"S512""#, "malformed_member"), (#""type":"code""#, "missing_member"),
            (#""type":"access_token","fault":"wrongIssuer""#, "claims_not_possible"),
            (#""type":"refresh_token","claims":{"a":1}"#, "claims_not_possible"),
            (#""type":"access_token","algorithm":"ES256""#, "claims_not_possible"),
        ])
    func impossible(members: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\(members)}")
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test("refuse a token type that the provider does not issue", arguments: [("facebook", "id_token"), ("facebook", "refresh_token")])
    func otherTypes(provider: String, type: String) async throws {
        try await ControlSandbox.run { control async throws in
            let body = "{\"provider\":\"\(provider)\",\"user\":\"alice\",\"type\":\"\(type)\"}"
            let answer = try await control.send(.post, "/tokens", body)
            #expect(answer.status == 400)
            #expect(answer.error == "type_not_possible")
        }
    }
}
