import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import Testing
import Tokens
import WireFormats

@Suite("An app server's credentials for users")
struct TokenDistributionTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    private func basic(_ text: String) -> HTTPFields { [.authorization: "Basic " + Array(text.utf8).base64] }

    @Test("have the documentation's formats, all at once")
    func documentation() async throws {
        try await AppServerSandbox.run { server async throws in
            let answer = try await server.send(.get, "/distribute-token.json?user=alice&password=alice-password")
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "application/json")
            #expect(
                answer.json.names == [
                    "accessKeyId", "accessKeySecret", "securityToken", "expiration", "federatedUser", "requestId", "AccessKeyId",
                    "AccessKeySecret", "SecurityToken", "Expiration", "StatusCode",
                ])
            #expect(answer.json["StatusCode"] == 200)
            #expect(answer["federatedUser"] == "1234567890123456:alice")
            for (small, large) in [("accessKeyId", "AccessKeyId"), ("accessKeySecret", "AccessKeySecret"), ("expiration", "Expiration")] {
                #expect(answer[small] != nil)
                #expect(answer[small] == answer[large])
            }
            #expect(answer["AccessKeyId"]?.hasPrefix("STS.") == true)
            #expect(answer["SecurityToken"]?.hasPrefix("CAIS") == true)
            let id = try #require(answer["requestId"])
            #expect(id.utf8.count == 36)
            #expect(id == id.uppercased())
            let session = try server.session(of: answer)
            #expect(session.principal.name == "acs:ram::1234567890123456:assumed-role/app-user/alice")
            #expect(session.credentials.expires.iso8601 == answer["Expiration"])
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 1800)
            #expect(session.credentials.sessionPolicies.first?.contains("acs:oss:*:*:notes/alice/*") == true)
            #expect(answer.journal.caller == "alice")
            #expect(answer.journal.operation == "DistributeToken")
            #expect(answer.journal.decisions.map(\.action) == ["sts:AssumeRole"])
            #expect(answer.journal.decisions.allSatisfy { $0.allowed })
        }
    }

    @Test("have the demo server's format, with the status as a string", arguments: [HTTPRequest.Method.get, .post])
    func demo(method: HTTPRequest.Method) async throws {
        try await AppServerSandbox.run { server async throws in
            let answer = try await server.send(method, "/sts/getsts")
            #expect(answer.status == 200)
            #expect(answer.json["StatusCode"] == "200")
            #expect(answer.json.names == ["AccessKeyId", "AccessKeySecret", "SecurityToken", "Expiration", "StatusCode"])
            #expect(try server.session(of: answer).credentials.sessionName == "guest")
        }
    }

    @Test("are for users who log in: by query, form, Basic or an ID token")
    func people() async throws {
        try await AppServerSandbox.run { server async throws in
            func name(_ answer: AppServerAnswer) throws -> String { try server.session(of: answer).credentials.sessionName }
            let body = Array("user=alice&password=alice-password".utf8)
            #expect(try await name(server.send(.post, "/sts/getsts", Self.form, body: body)) == "alice")
            #expect(try await name(server.send(.get, "/sts/getsts", basic("alice:alice-password"))) == "alice")
            let token = try await server.token()
            #expect(try await name(server.send(.get, "/sts/getsts", [.authorization: "Bearer \(token)"])) == "bob")
            #expect(try await name(server.send(.get, "/distribute-token.json?id_token=\(token)")) == "bob")
        }
    }

    // The credentials provider of the SDK for Android throws at every status from 400 on, and reads `ErrorCode` and `ErrorMessage`
    // otherwise.
    @Test("are refused after a wrong login, with status 200")
    func strangers() async throws {
        try await AppServerSandbox.run { server async throws in
            func refused(_ target: String, _ fields: HTTPFields = [:], sourceLocation: SourceLocation = #_sourceLocation) async throws {
                let answer = try await server.send(.get, target, fields)
                #expect(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
                #expect(answer["ErrorCode"] == "Unauthorized", "\(answer.text)", sourceLocation: sourceLocation)
                let isDemo = target.hasPrefix("/sts/getsts")
                #expect(answer.json["StatusCode"] == (isDemo ? "401" : 401), sourceLocation: sourceLocation)
                #expect(answer["ErrorMessage"]?.isEmpty == false, sourceLocation: sourceLocation)
                #expect(answer["AccessKeyId"] == nil, sourceLocation: sourceLocation)
                #expect(answer.journal.errorCode == "Unauthorized", sourceLocation: sourceLocation)
            }
            for query in ["user=alice&password=wrong", "user=alice", "user=alice&password=", "user=nobody&password=alice-password"] {
                try await refused("/sts/getsts?\(query)")
            }
            for text in ["alice:wrong", "alice", ":alice-password", "alice:alice-password "] {
                try await refused("/distribute-token.json", basic(text))
            }
            try await refused("/sts/getsts", [.authorization: "Basic !"])
            try await refused("/sts/getsts", [.authorization: "Digest x"])
            try await refused("/sts/getsts", [.authorization: "Bearer x.y.z"])
            try await refused("/sts/getsts", [.authorization: "Bearer \(server.token(client: "other"))"])
            try await refused("/sts/getsts", [.authorization: "Bearer \(server.token(provider: "stranger"))"])
            let token = try await server.token()
            try await refused("/sts/getsts?id_token=\(token.dropLast(4))AAAA")
            try await server.cloud.age(by: .seconds(90_000))
            try await refused("/sts/getsts?id_token=\(token)")
        }
    }

    @Test(
        "are refused for other tokens that the issuer signs for the same client",
        arguments: [
            (header: "JWT", claim: "ID", status: 200), ("", "", 200), ("logout+jwt", "", 401), ("at+jwt", "", 401), ("JWT", "Bearer", 401),
        ])
    func otherTokens(header: String, claim: String, status: Int) async throws {
        try await AppServerSandbox.run { server async throws in
            let now = server.cloud.clock.now.seconds
            var claims: JSONObject = [
                "iss": "https://login.company.example", "sub": "employee-2", "aud": "web-app", "iat": .integer(now),
                "exp": .integer(now + 120),
            ]
            if !claim.isEmpty { claims["typ"] = .string(claim) }
            let key = try await server.cloud.signingKey(for: "company", algorithm: .rs256)
            let token = try JSONWebToken.sign(header: header.isEmpty ? [:] : ["typ": .string(header)], claims: claims, key: key)
            let answer = try await server.send(.get, "/sts/getsts", [.authorization: "Bearer \(token)"])
            #expect(answer.status == 200)
            #expect(answer.json["StatusCode"] == .string(String(status)))
        }
    }

    @Test("are limited by a policy that a user name cannot widen")
    func names() async throws {
        try await AppServerSandbox.run { server async throws in
            let answer = try await server.send(.get, "/sts/getsts?id_token=\(server.token("b*b/"))")
            #expect(answer.status == 403)
            #expect(answer["ErrorCode"] == "InvalidParameter.RoleSessionName")
        }
        for name in ["*", "a", "a*", "a?b", "a/b", "${x}", "a\"b", "a b", "é", ""] { #expect(!AppServer.isName(name)) }
        for name in ["al", "alice@x.y", "a_b-C.9"] { #expect(AppServer.isName(name)) }
    }

    @Test("need a login unless the server is open")
    func closed() async throws {
        try await AppServerSandbox.run(AppServerSandbox.seed("")) { server async throws in
            for path in ["/sts/getsts", "/distribute-token.json"] {
                #expect(try await server.send(.get, path)["ErrorCode"] == "Unauthorized")
                #expect(try await server.send(.get, path, basic("alice:alice-password"))["ErrorCode"] == nil)
            }
            #expect(try await server.send(.put, "/sts/getsts").status == 405)
        }
    }

    @Test(
        "last as long as the seed says, or shorter on request",
        arguments: [("", 1800), ("?duration=5", 5), ("?duration=900", 900), ("?duration=43200", 1800)])
    func durations(query: String, seconds: Int64) async throws {
        try await AppServerSandbox.run { server async throws in
            let answer = try await server.send(.get, "/sts/getsts\(query)")
            let session = try server.session(of: answer)
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == seconds)
            for wrong in ["0", "-1", "x"] {
                let refused = try await server.send(.get, "/sts/getsts?duration=\(wrong)")
                #expect(refused.status == 400)
                #expect(refused["ErrorCode"] == "InvalidParameter")
            }
        }
    }

    @Test("fail as on the demo server if AssumeRole is refused")
    func refusals() async throws {
        let seeds = [
            AppServerSandbox.seed("openTo: 'guest'", policies: ""), AppServerSandbox.seed("openTo: 'guest'", trust: "user/nobody"),
        ]
        for seed in seeds {
            try await AppServerSandbox.run(seed) { server async throws in
                let demo = try await server.send(.get, "/sts/getsts")
                #expect(demo.status == 200)
                #expect(demo.json["StatusCode"] == "500")
                #expect(demo["ErrorCode"] == "NoPermission")
                #expect(demo["ErrorMessage"]?.isEmpty == false)
                #expect(demo["AccessKeyId"] == nil)
                let other = try await server.send(.get, "/distribute-token.json")
                #expect(other.status == 200)
                #expect(other.json["StatusCode"] == 500)
                #expect(other["ErrorCode"] == "NoPermission")
            }
        }
        try await AppServerSandbox.run { server async throws in
            try await server.cloud.edit { $0.remove(.init(.role, "acs:ram::1234567890123456:role/app-user")) }
            #expect(try await server.send(.get, "/sts/getsts")["ErrorCode"] == "EntityNotExist.Role")
        }
    }

    @Test("apply fault rules of STS, with the demo server's errors")
    func faultsOfSTS() async throws {
        try await AppServerSandbox.run { server async throws in
            _ = server.cloud.faults.add(
                FaultRule(service: "alibaba-sts", action: "AssumeRole", failure: .init(code: "Throttling", message: "Slow down")))
            let answer = try await server.send(.get, "/sts/getsts")
            #expect(answer.status == 200)
            #expect(answer.json["StatusCode"] == "500")
            #expect(answer["ErrorCode"] == "Throttling")
            #expect(answer["ErrorMessage"] == "Slow down")
            #expect(try await server.send(.get, "/sts/getsts").json["StatusCode"] == "200")
            _ = server.cloud.faults.add(FaultRule(service: "sts", action: "AssumeRole", failure: .init(code: "Throttling")))
            #expect(try await server.send(.get, "/sts/getsts").json["StatusCode"] == "200")
        }
    }

    @Test("apply fault rules, with status 200 or the rule's status")
    func faults() async throws {
        try await AppServerSandbox.run { server async throws in
            _ = server.cloud.faults.add(FaultRule(service: "appserver", action: "GetSts", failure: .init(code: "InternalError")))
            let answer = try await server.send(.get, "/sts/getsts")
            #expect(answer.status == 200)
            #expect(answer.json["StatusCode"] == "500")
            #expect(answer["ErrorCode"] == "InternalError")
            _ = server.cloud.faults.add(
                FaultRule(service: "appserver", caller: "alice", failure: .init(code: "Busy", status: 503, message: "Later")))
            #expect(try await server.send(.get, "/sts/getsts").json["StatusCode"] == "200")
            let struck = try await server.send(.get, "/distribute-token.json", basic("alice:alice-password"))
            #expect(struck.status == 503)
            #expect(struck.json["StatusCode"] == 503)
            #expect(struck["ErrorMessage"] == "Later")
        }
    }
}
