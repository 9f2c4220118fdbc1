import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("The OAuth token endpoint of the mobile cloud")
struct TokenEndpointTests {
    private static func client(_ backend: MobileBackend, secret: String? = nil) -> HTTPFields {
        [.authorization: "Basic \(Array("\(backend.clientID):\(secret ?? backend.clientSecret)".utf8).base64)"]
    }

    @Test(
        "issues a client's token, with the members of the service (R4, R132, R133, R134, R135, R136, R137, R139, R143, R145, X23)",
        arguments: ["/oam/oauth2/tokens", "/oam/oauth2/tokens/", "/oauth2/v1/token", "/oauth2/v1/token/", "/token", "/token/"])
    func clientCredentials(_ path: String) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = Self.client(try mobile.backend())
            fields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
            let answer = try await mobile.send(.post, path, "grant_type=client_credentials", fields: fields)
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "application/json;charset=UTF-8")
            #expect(answer.fields[.cacheControl] == "no-store")
            #expect(answer.fields[.pragma] == "no-cache")
            #expect(
                answer.json.objectValue?.names
                    == ["oracle_client_assertion_type", "expires_in", "token_type", "oracle_tk_context", "access_token"])
            #expect(answer["oracle_client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            #expect(answer.json["expires_in"] == 604800)
            #expect(answer["token_type"] == "Bearer")
            #expect(answer["oracle_tk_context"] == "client_assertion")
            let token = try #require(answer["access_token"])
            #expect(token.hasPrefix("eyJ"))
            let caller = try await mobile.caller(.bearer(token))
            #expect(caller.isAnonymous)
            #expect(caller.method == .oauth)
            #expect(caller.backend.name == "app")
        }
    }

    @Test("issues a user's token for name and password, without a refresh token (R132, R135, R141, R142)")
    func password() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let answer = try await mobile.post(
                "/oam/oauth2/tokens", ["grant_type": "password", "username": "joe", "password": "pass:word"],
                Self.client(try mobile.backend()))
            #expect(answer.status == 200)
            #expect(answer["token_type"] == "Bearer")
            #expect(answer["refresh_token"] == nil)
            #expect(answer.entry.caller == "joe")
            #expect(answer.entry.operation == "Token")
            let token = try #require(answer["access_token"])
            let claims = try JSONWebToken(parsing: token).claims
            let lifetime = try #require(claims["exp"]?.integerValue) - (try #require(claims["iat"]?.integerValue))
            #expect(answer.json["expires_in"] == .integer(lifetime))
            #expect(lifetime == 28800)
            let caller = try await mobile.caller(.bearer(token))
            #expect(caller.name == "joe")
            #expect(caller.roles == ["Technician"])
            #expect(caller.method == .oauth)
        }
    }

    @Test("accepts the client in the body, too, and a scope with either grant (R141, R143, R144)")
    func body() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            let form: FormFields = [
                "grant_type": "client_credentials", "client_id": backend.clientID, "client_secret": backend.clientSecret,
                "scope": "https://mobile.example/urn:opc:resource:consumer::all",
            ]
            #expect(try await mobile.post("/token", form).status == 200)
            var fields = Self.client(backend)
            fields[try #require(HTTPField.Name("X-USER-IDENTITY-DOMAIN-NAME"))] = "company"
            let user: FormFields = ["grant_type": "password", "username": "joe", "password": "pass:word", "scope": "any"]
            #expect(try await mobile.post("/token?_=1479811200000", user, fields).status == 200)
        }
    }

    @Test(
        "reads values that clients do not encode (A4.2)",
        arguments: [
            "50%off", "a+b", "[x]", "a b", "x=y", "%41", "50%25off",
        ])
    func unencoded(_ password: String) async throws {
        let users = "realms: [{name: \"Default\", users: [{username: \"joe+1\", password: \"\(password)\"}]}], backends: [{name: \"app\"}]"
        try await MobileSandbox.run(users) { mobile async throws in
            var fields = Self.client(try mobile.backend())
            fields[.contentType] = "application/x-www-form-urlencoded"
            let raw = "grant_type=password&username=joe+1&password=\(password)"
            #expect(try await mobile.send(.post, "/token", raw, fields: fields).status == 200)
            let encoded: FormFields = ["grant_type": "password", "username": "joe+1", "password": password]
            #expect(try await mobile.post("/token", encoded, fields).status == 200)
            #expect(try await mobile.send(.post, "/token", raw + "x", fields: fields).status == 400)
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var form: FormFields
        var secret: String?
        var isHeaderLeftOut = false
        var error: String
        var status = 400

        var testDescription: String { "\(form.encoded): \(error)" }
    }

    @Test(
        "returns OAuth's errors (R142, R144)",
        arguments: [
            Refusal(form: ["grant_type": "client_credentials"], secret: "wrong", error: "invalid_client", status: 401),
            Refusal(form: ["grant_type": "client_credentials"], secret: "", error: "invalid_client", status: 401),
            Refusal(form: ["grant_type": "client_credentials"], isHeaderLeftOut: true, error: "invalid_client", status: 401),
            Refusal(
                form: ["grant_type": "client_credentials", "client_id": "nobody", "client_secret": "x"], isHeaderLeftOut: true,
                error: "invalid_client", status: 401),
            Refusal(form: ["grant_type": "client_credentials", "client_secret": "x"], error: "invalid_request"),
            Refusal(form: ["grant_type": "client_credentials", "client_id": "other"], error: "invalid_request"),
            Refusal(form: [:], error: "invalid_request"),
            Refusal(form: ["grant_type": "password", "username": "joe"], error: "invalid_request"),
            Refusal(form: ["grant_type": "password", "username": "joe", "password": ""], error: "invalid_request"),
            Refusal(form: ["grant_type": "password", "username": "joe", "password": "wrong"], error: "invalid_grant"),
            Refusal(form: ["grant_type": "password", "username": "nobody", "password": "pass:word"], error: "invalid_grant"),
            Refusal(form: ["grant_type": "password", "username": "remote", "password": "x"], error: "invalid_grant"),
            Refusal(form: ["grant_type": "refresh_token", "refresh_token": "x"], error: "unsupported_grant_type"),
            Refusal(form: ["grant_type": "authorization_code", "code": "x"], error: "unsupported_grant_type"),
            Refusal(form: ["grant_type": "client_credentials", "GRANT_TYPE": "x", "scope": "a", "scope": "b"], error: "invalid_request"),
        ])
    func refusals(_ refusal: Refusal) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let fields = refusal.isHeaderLeftOut ? [:] : Self.client(try mobile.backend(), secret: refusal.secret)
            let answer = try await mobile.post("/oam/oauth2/tokens", refusal.form, fields)
            #expect(answer.status == refusal.status)
            #expect(answer["error"] == refusal.error)
            #expect(answer["error_description"]?.isEmpty == false)
            #expect(answer["access_token"] == nil)
            #expect(answer.errorCode == nil)
            #expect(answer.fields[.contentType] == "application/json;charset=UTF-8")
            #expect(answer.fields[.cacheControl] == "no-store")
            #expect((answer.fields[.wwwAuthenticate] != nil) == (refusal.status == 401))
            #expect(answer.fields[.wwwAuthenticate]?.hasPrefix("Basic ") ?? true)
            #expect(answer.entry.errorCode == refusal.error)
        }
    }

    @Test("serves only backends with OAuth Consumer, and none with Facebook Login (R5, R122)")
    func switches() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let form: FormFields = ["grant_type": "client_credentials"]
            try await mobile.change { $0.allowsOAuth = false }
            let off = try await mobile.post("/token", form, Self.client(try mobile.backend()))
            #expect(off.status == 400)
            #expect(off["error"] == "unauthorized_client")
            try await mobile.change { backend in
                backend.allowsOAuth = true
                backend.facebook = .init(appID: "1", appSecret: "2")
            }
            let facebook = try await mobile.post("/token", form, Self.client(try mobile.backend()))
            #expect(facebook.status == 400)
            #expect(facebook["error"] == "unauthorized_client")
        }
    }

    @Test("accepts only forms, and names the allowed method (R134, R145)")
    func requests() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = Self.client(try mobile.backend())
            fields[.contentType] = "application/json"
            let json = try await mobile.send(.post, "/token", #"{"grant_type":"client_credentials"}"#, fields: fields)
            #expect(json.status == 400)
            #expect(json["error"] == "invalid_request")
            let get = try await mobile.get("/token?grant_type=client_credentials", fields)
            #expect(get.status == 405)
            #expect(get["error"] == "invalid_request")
            #expect(get.fields[.allow] == "POST, OPTIONS")
            let options = try await mobile.send(.options, "/token")
            #expect(options.status == 200)
            #expect(options.fields[.allow] == "POST, OPTIONS")
            #expect(options.bytes.isEmpty)
            fields[.contentType] = "application/x-www-form-urlencoded"
            let long = "grant_type=client_credentials&x=" + String(repeating: "y", count: 1 << 16)
            #expect(try await mobile.send(.post, "/token", long, fields: fields)["error"] == "invalid_request")
        }
    }

    @Test("accepts a client that encodes its name and secret as forms do, and one that does not (R134)")
    func encodedClient() async throws {
        let backends = "realms: [{name: \"Default\"}], backends: [{name: \"app\", clientID: \"my app\", clientSecret: \"50%+x\"}]"
        try await MobileSandbox.run(backends) { mobile async throws in
            for pair in ["my app:50%+x", "my+app:50%25%2Bx"] {
                let fields: HTTPFields = [.authorization: "Basic \(Array(pair.utf8).base64)"]
                #expect(try await mobile.post("/token", ["grant_type": "client_credentials"], fields).status == 200)
            }
        }
    }
}
