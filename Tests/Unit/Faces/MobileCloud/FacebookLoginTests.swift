import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import NIOCore
import Synchronization
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Facebook Login")
struct FacebookLoginTests {
    private static let consumers = """
        realms: [{name: "Default", users: [{username: "joe", password: "secret"}]}],
        backends: [{name: "app", facebook: {appID: "1234567890", appSecret: "app-secret"}}, {name: "plain"}]
        """

    /// A stub of the Graph API, with the tokens of users by app.
    private final class Graph: Sendable {
        struct Person: Sendable {
            var app = "1234567890"
            var id = "100001234567890"
            var name = "Fay"
        }

        let people: Mutex<[String: Person]>
        let asked = Mutex<[String]>([])

        init(_ people: [String: Person]) { self.people = Mutex(people) }

        func answer(_ request: OutboundRequest) throws -> OutboundResponse {
            asked.withLock { $0.append(request.url) }
            let query = FormFields(parsing: String(request.url.split(separator: "?").last ?? "")) ?? [:]
            let node = request.url.split(separator: "?")[0].split(separator: "/").last
            let token = query.value("access_token") ?? ""
            guard query.value("appsecret_proof") == hmacSHA256(key: Array("app-secret".utf8), token).hex else {
                return refusal("Invalid appsecret_proof provided in the API argument", code: 100)
            }
            guard let person = people.withLock({ $0[token] }) else {
                return refusal("Error validating access token: The session was invalidated.", code: 190)
            }
            let body: JSONValue =
                node == "app" ? ["id": .string(person.app), "name": "App"] : ["id": .string(person.id), "name": .string(person.name)]
            return OutboundResponse(status: 200, body: Array(body.serialized().utf8))
        }

        private func refusal(_ message: String, code: Int64) -> OutboundResponse {
            let body: JSONValue = ["error": ["message": .string(message), "type": "OAuthException", "code": .integer(code)]]
            return OutboundResponse(status: 400, body: Array(body.serialized().utf8))
        }
    }

    @Test("accepts the four headers, and checks the token at Facebook (R2, R121, R123, R125, R130, R131)")
    func login() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            let graph = Graph(["EAAB+fay/1": .init()])
            mobile.outbound = { request in try graph.answer(request) }
            let backend = try mobile.backend()
            let caller = try await mobile.caller(.facebook("EAAB+fay/1", backend))
            #expect(caller.method == .facebook)
            #expect(caller.roles.isEmpty)
            #expect(caller.name == "facebook/100001234567890")
            guard case .social(let user) = caller.identity else { throw MobileSandbox.NoSuchBackend(name: "social") }
            #expect(user == .init(provider: "facebook", id: "100001234567890", name: "Fay", accessToken: "EAAB+fay/1"))
            let urls = graph.asked.withLock { $0 }
            #expect(urls.count == 2)
            #expect(urls.allSatisfy { $0.hasPrefix("https://graph.facebook.com/v2.5/") })
            let profile = try await mobile.get("/mobile/platform/users/~", .facebook("EAAB+fay/1", backend))
            #expect(
                profile.json
                    == ["id": "100001234567890", "identityProvider": "facebook", "accessToken": "EAAB+fay/1"])
            #expect(profile.entry.caller == "facebook/100001234567890")
        }
    }

    @Test("ends at once when the user revokes it")
    func revocation() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            let graph = Graph(["EAAB": .init()])
            mobile.outbound = { request in try graph.answer(request) }
            let fields = HTTPFields.facebook("EAAB", try mobile.backend())
            #expect(try await mobile.get("/mobile/platform/users/~", fields).status == 200)
            graph.people.withLock { $0 = [:] }
            let answer = try await mobile.get("/mobile/platform/users/~", fields)
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.socialTokenRefused.code)
            #expect(answer["detail"]?.contains("The session was invalidated.") == true)
        }
    }

    @Test("refuses the token of another app, and a token checked with another secret (R123)")
    func otherApp() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            let graph = Graph(["theirs": .init(app: "999"), "ours": .init()])
            mobile.outbound = { request in try graph.answer(request) }
            let theirs = try await mobile.get("/mobile/platform/users/~", .facebook("theirs", try mobile.backend()))
            #expect(theirs.status == 401)
            #expect(theirs["detail"]?.contains("another app") == true)
            try await mobile.change { $0.facebook?.appSecret = "wrong" }
            let wrong = try await mobile.get("/mobile/platform/users/~", .facebook("ours", try mobile.backend()))
            #expect(wrong.status == 401)
            #expect(wrong["detail"]?.contains("appsecret_proof") == true)
        }
    }

    @Test("reports a failure of Facebook as Bad Gateway, not as a refusal", arguments: [nil, 500, 503, 302])
    func failures(_ status: Int?) async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            mobile.outbound = { _ in
                guard let status else { throw ChannelError.eof }
                return OutboundResponse(status: status)
            }
            let answer = try await mobile.get("/mobile/platform/users/~", .facebook("EAAB", try mobile.backend()))
            #expect(answer.status == 502)
            #expect(answer.errorCode == MobileErrorKind.socialProviderFailed.code)
        }
    }

    @Test("reports a transient error of Facebook as a failure")
    func transient() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            mobile.outbound = { _ in
                OutboundResponse(status: 403, body: Array(#"{"error":{"message":"(#4) limit","code":4,"is_transient":true}}"#.utf8))
            }
            #expect(try await mobile.get("/mobile/platform/users/~", .facebook("EAAB", try mobile.backend())).status == 502)
        }
    }

    @Test("allows only the anonymous key and Facebook users at the backend (R122, R126, X13)")
    func exclusive() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            let backend = try mobile.backend()
            #expect(try await mobile.get("/mobile/platform/users/login", .anonymous(backend)).status == 200)
            let user = try await mobile.get("/mobile/platform/users/login", .basic("joe:secret", backend))
            #expect(user.status == 401)
            #expect(user.errorCode == MobileErrorKind.authenticationMethodOff.code)
            for method in [MobileCaller.Method.oauth, .exchange, .jwtBearer, .singleSignOn] {
                let token = try await mobile.token("joe", method: method)
                #expect(
                    try await mobile.get("/mobile/platform/users/login", .bearer(token)).errorCode
                        == MobileErrorKind.authenticationMethodOff.code)
            }
        }
    }

    @Test("requires HTTP Basic, Facebook Login and the anonymous key (R124, R125)")
    func needs() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            let off = MobileErrorKind.authenticationMethodOff.code
            let plain = try mobile.backend("plain")
            #expect(try await mobile.get("/mobile/platform/users/~", .facebook("EAAB", plain)).errorCode == off)
            var named = HTTPFields.facebook("EAAB", plain)
            named[.authorization] = "Basic \(Array("joe:secret".utf8).base64)"
            #expect(try await mobile.get("/mobile/platform/users/~", named).errorCode == MobileErrorKind.invalidCredentials.code)
            var bare = HTTPFields.facebook("EAAB", try mobile.backend())
            bare[.authorization] = nil
            #expect(try await mobile.get("/mobile/platform/users/~", bare).errorCode == MobileErrorKind.notAuthenticated.code)
            try await mobile.change { $0.allowsBasic = false }
            #expect(try await mobile.get("/mobile/platform/users/~", .facebook("EAAB", try mobile.backend())).errorCode == off)
        }
    }

    @Test("requires both headers, and a provider that the policy names (R125, R131)")
    func headers() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            let backend = try mobile.backend()
            for name in [HTTPField.Name.socialIdentityProvider, .socialAccessToken] {
                var fields = HTTPFields.facebook("EAAB", backend)
                fields[name] = nil
                #expect(try await mobile.get("/mobile/platform/users/~", fields).errorCode == MobileErrorKind.malformedRequest.code)
            }
            var other = HTTPFields.facebook("EAAB", backend)
            other[.socialIdentityProvider] = "google"
            #expect(try await mobile.get("/mobile/platform/users/~", other).errorCode == MobileErrorKind.socialTokenRefused.code)
        }
    }

    @Test("calls the URL of the policy, and reports an invalid policy")
    func policy() async throws {
        try await MobileSandbox.run(Self.consumers) { mobile async throws in
            var mobile = mobile
            let graph = Graph(["EAAB": .init()])
            mobile.outbound = { request in try graph.answer(request) }
            let fields = HTTPFields.facebook("EAAB", try mobile.backend())
            try await mobile.setPolicy(
                "Security_IdentityProviders",
                #"[{"identityProviderName":"facebook","properties":{"graphApiUrl":"http://127.0.0.1:9/graph"}}]"#)
            #expect(try await mobile.get("/mobile/platform/users/~", fields).status == 200)
            #expect(graph.asked.withLock { $0.allSatisfy { $0.hasPrefix("http://127.0.0.1:9/graph/") } })
            for (value, status) in [("nonsense", 500), (#"[{"identityProviderName":"facebook"}]"#, 500), ("[]", 401)] {
                try await mobile.setPolicy("Security_IdentityProviders", value)
                #expect(try await mobile.get("/mobile/platform/users/~", fields).status == status)
            }
            try await mobile.setPolicy("Security_IdentityProviders", nil)
            #expect(try await mobile.get("/mobile/platform/users/~", fields).status == 401)
        }
    }
}
