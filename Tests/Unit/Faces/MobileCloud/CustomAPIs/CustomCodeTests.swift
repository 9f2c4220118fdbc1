import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Synchronization
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Custom code (R121, R128)")
struct CustomCodeTests {
    private static func seed(_ more: String = "") -> String {
        """
        backends: [{name: "app", apis: "all"}, {name: "other", apis: "all"}], realms: [{name: "Default", users: [{username: "erika", roles: ["Technician"]}]}],
        roles: ["Technician"], \(more)
        customAPIs: [{name: "code", access: "open", version: "2.0", endpoints: [
            {method: "*", path: "/*", forward: "http://127.0.0.1:9000/base/"}]}]
        """
    }

    /// Custom code that records its requests.
    private final class Code: Sendable {
        private let orders = Mutex<[OutboundRequest]>([])
        private let answer: @Sendable (OutboundRequest) async throws -> OutboundResponse

        init(_ answer: @escaping @Sendable (OutboundRequest) async throws -> OutboundResponse = { _ in OutboundResponse(status: 200) }) {
            self.answer = answer
        }

        var asked: [OutboundRequest] { orders.withLock { $0 } }

        var outbound: Outbound {
            { request in
                self.orders.withLock { $0.append(request) }
                return try await self.answer(request)
            }
        }
    }

    @Test("receives the caller's request, with the backend and a credential in place of the caller's own")
    func request() async throws {
        try await MobileSandbox.run(Self.seed()) { sandbox async throws in
            var mobile = sandbox
            let code = Code()
            mobile.outbound = code.outbound
            var fields = try mobile.customCode(user: "erika")
            let presented = fields[.authorization]
            fields[.contentType] = "application/json"
            fields[.cookie] = "OAMAuthnCookie_x=1"
            fields[.connection] = "keep-alive, X-Hop"
            fields[HTTPField.Name(literal: "X-Hop")] = "1"
            fields[HTTPField.Name(literal: "Oracle-Mobile-DIAGNOSTIC-SESSION-ID")] = "77"
            fields[HTTPField.Name(literal: "Oracle-Mobile-Backend-Name")] = "forged"
            let answer = try await mobile.send(.put, "/mobile/custom/code/a%20b/c?x=1&x=%2F", #"{"n":1}"#, fields: fields)
            #expect(answer.status == 200)
            let order = try #require(code.asked.first)
            #expect(order.method == .put)
            #expect(order.url == "http://127.0.0.1:9000/base/a%20b/c?x=1&x=%2F")
            #expect(order.body == Array(#"{"n":1}"#.utf8))
            #expect(order.headers[.contentType] == "application/json")
            let backend = try mobile.backend()
            #expect(order.headers[.backendID] == backend.id)
            #expect(order.headers[HTTPField.Name(literal: "Oracle-Mobile-Backend-Name")] == "app")
            #expect(order.headers[HTTPField.Name(literal: "Oracle-Mobile-Backend-Version")] == "1.0")
            #expect(order.headers[.apiVersion] == "2.0")
            #expect(order.headers[HTTPField.Name(literal: "ECID-Context")]?.hasSuffix(", 0") == true)
            #expect(order.headers[HTTPField.Name(literal: "Oracle-Mobile-DIAGNOSTIC-SESSION-ID")] == "77")
            for name in ["Cookie", "Connection", "X-Hop"] {
                #expect(HTTPField.Name(name).flatMap { order.headers[$0] } == nil, "\(name)")
            }
            let given = try #require(order.headers[.authorization])
            #expect(given.hasPrefix("Bearer "))
            #expect(given != presented)
            #expect(order.connectTimeout == .seconds(20))
            #expect(order.readTimeout == .seconds(20))
            #expect(order.timeout == .seconds(40))
        }
    }

    @Test("does not receive the token of a Facebook user (R131)")
    func socialToken() async throws {
        let facebook = "{name: \"skiers\", apis: \"all\", facebook: {appID: \"4711\", appSecret: \"s\"}}"
        let seed = Self.seed().replacing("{name: \"other\", apis: \"all\"}", with: facebook)
        try await MobileSandbox.run(seed) { sandbox async throws in
            var mobile = sandbox
            let code = Code { request in
                let node = request.url.split(separator: "?")[0].split(separator: "/").last
                return OutboundResponse(status: 200, body: Array("{\"id\": \"\(node == "app" ? "4711" : "12")\"}".utf8))
            }
            mobile.outbound = code.outbound
            #expect(try await mobile.get("/mobile/custom/code", .facebook("secret", try mobile.backend("skiers"))).status == 200)
            let order = try #require(code.asked.last)
            #expect(order.url == "http://127.0.0.1:9000/base")
            #expect(order.headers[.socialIdentityProvider] == "facebook")
            #expect(order.headers[.socialAccessToken] == nil)
            let given = try #require(order.headers[.authorization])
            let profile = try await mobile.get("/mobile/platform/extended/users/~", [.authorization: given])
            #expect(profile.json == ["id": "12", "identityProvider": "facebook", "accessToken": "secret"])
            // Custom code that forwards the headers of its call names the provider, too.
            let handedOn = try await mobile.get(
                "/mobile/platform/extended/users/~", [.authorization: given, .socialIdentityProvider: "facebook"])
            #expect(handedOn.status == 200)
            #expect(handedOn.json == profile.json)
        }
    }

    @Test("calls back as its caller")
    func callsBack() async throws {
        try await MobileSandbox.run(Self.seed()) { sandbox async throws in
            var mobile = sandbox
            let code = Code()
            mobile.outbound = code.outbound
            _ = try await mobile.get("/mobile/custom/code", try mobile.customCode(user: "erika"))
            let given = try #require(code.asked.first?.headers[.authorization])
            let profile = try await mobile.get("/mobile/platform/extended/users/~", [.authorization: given])
            #expect(profile.status == 200)
            #expect(profile["username"] == "erika")
            #expect(profile.json["roles"] == ["Technician"])
            #expect(profile.entry.caller == "erika")
        }
    }

    @Test("has its response returned unchanged")
    func answer() async throws {
        try await MobileSandbox.run(Self.seed()) { sandbox async throws in
            var mobile = sandbox
            mobile.outbound = { _ in
                OutboundResponse(
                    status: 409,
                    headers: [
                        .contentType: "text/x", .connection: "close", .date: "now", .contentLength: "99", .eTag: "\"1\"",
                    ],
                    body: Array("taken".utf8))
            }
            let answer = try await mobile.get("/mobile/custom/code", try mobile.customCode())
            #expect(answer.status == 409)
            #expect(answer.text == "taken")
            #expect(answer.fields[.contentType] == "text/x")
            #expect(answer.fields[.eTag] == "\"1\"")
            #expect(answer.fields[.contentLength] == "5")
            #expect(answer.fields[.connection] == nil)
            #expect(answer.fields[.date] == nil)
            #expect(answer.entry.errorCode == nil)
        }
    }

    @Test("has the timeout of the environment's policies")
    func timeouts() async throws {
        let policies = """
            policies: {Network_HttpConnectTimeout: "1500", Network_HttpReadTimeout: "9000", Network_HttpRequestTimeout: "3000"},
            """
        try await MobileSandbox.run(Self.seed(policies)) { sandbox async throws in
            var mobile = sandbox
            let code = Code { _ in throw OutboundError.timedOut }
            mobile.outbound = code.outbound
            let late = try await mobile.get("/mobile/custom/code", try mobile.customCode())
            #expect(late.status == 504)
            #expect(late.errorCode == MobileErrorKind.customCodeTimedOut.code)
            let order = try #require(code.asked.first)
            #expect(order.connectTimeout == .milliseconds(1500))
            #expect(order.readTimeout == .seconds(9))
            #expect(order.timeout == .seconds(3))
        }
    }

    @Test("that fails causes a Bad Gateway")
    func failures() async throws {
        try await MobileSandbox.run(Self.seed()) { sandbox async throws in
            var mobile = sandbox
            let down = try await mobile.get("/mobile/custom/code", try mobile.customCode())
            #expect(down.status == 502)
            #expect(down.errorCode == MobileErrorKind.customCodeFailed.code)
            mobile.outbound = { _ in OutboundResponse(status: 600) }
            #expect(try await mobile.get("/mobile/custom/code", try mobile.customCode()).status == 502)
            let dots = try await mobile.get("/mobile/custom/code/a/%2e%2e/b", try mobile.customCode())
            #expect(dots.status == 400)
        }
    }

    @Test("that calls itself is stopped")
    func loops() async throws {
        try await MobileSandbox.run(Self.seed()) { sandbox async throws in
            let depth = Mutex(0)
            let again = Mutex<Outbound?>(nil)
            let outbound: Outbound = { request in
                depth.withLock { $0 += 1 }
                var mobile = sandbox
                if let outbound = again.withLock({ $0 }) { mobile.outbound = outbound }
                let answer = try await mobile.get(
                    "/mobile/custom/code", [.authorization: request.headers[.authorization] ?? ""])
                return OutboundResponse(status: answer.status, headers: answer.fields, body: answer.bytes)
            }
            again.withLock { $0 = outbound }
            var mobile = sandbox
            mobile.outbound = outbound
            let answer = try await mobile.get("/mobile/custom/code", try mobile.customCode(depth: 0))
            #expect(answer.status == 502)
            #expect(answer.errorCode == MobileErrorKind.customCodeFailed.code)
            #expect(depth.withLock { $0 } == 8)
        }
    }

    @Test("has a credential that expires, and ends with the user or backend it was issued for")
    func credential() async throws {
        try await MobileSandbox.run(Self.seed()) { mobile async throws in
            let path = "/mobile/platform/extended/users/~"
            let erika = try mobile.customCode(user: "erika")
            #expect(try await mobile.get(path, erika).status == 200)
            var realm = try #require(mobile.cloud.directory.mobile.realms["Default(1.0)"])
            let user = try #require(realm.user(named: "erika"))
            realm.users = [MobileUser(id: user.id, username: "erika", roles: ["Manager"])]
            let changed = realm
            try await mobile.cloud.edit { $0.put(.mobile(.realm(changed))) }
            #expect(try await mobile.get(path, erika).json["roles"] == ["Manager"])
            realm.users = [MobileUser(id: "another", username: "erika")]
            let replaced = realm
            try await mobile.cloud.edit { $0.put(.mobile(.realm(replaced))) }
            #expect(try await mobile.get(path, erika).errorCode == MobileErrorKind.invalidToken.code)

            let vera = try mobile.customCode(.virtual(name: "vera", issuer: "i"), roles: ["A"])
            #expect(try await mobile.get(path, vera).json == ["username": "vera", "roles": ["A"]])
            try await mobile.cloud.age(by: .seconds(200))
            #expect(try await mobile.get(path, vera).status == 200)
            try await mobile.cloud.age(by: .seconds(101))
            let late = try await mobile.get(path, vera)
            #expect(late.status == 401)
            #expect(late.errorCode == MobileErrorKind.invalidToken.code)

            let other = try mobile.customCode(.virtual(name: "vera", issuer: "i"))
            try await mobile.cloud.reset()
            #expect(try await mobile.get(path, other).status == 401)
        }
    }
}
