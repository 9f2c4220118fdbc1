import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import AlibabaIdentityFaces

@Suite("An app server's signatures and metadata")
struct AppServerRouteTests {
    /// Strings to sign and signatures of Alibaba Cloud's SDKs.
    private static let version1 =
        "PUT\nXrY7u+Ae7tCTyyK7j1rNww==\ntext/plain\nSat, 16 Dec 2023 16:20:57 GMT\nx-oss-meta-author:alice\nx-oss-object-acl:private\n"
        + "/examplebucket/dir/hello world.txt"
    private static let version4 =
        "OSS4-HMAC-SHA256\n20231216T162057Z\n20231216/cn-hangzhou/oss/aliyun_v4_request\n"
        + "bcf33b852e6ce5c0b1b79d2afb59d308d33adefaba1a8d89ea636858be61c066"
    private static let signature = "NYVpSvuhu/Ne032np4Gsg+cly4A="

    @Test("sign the bytes of a text body")
    func text() async throws {
        try await AppServerSandbox.run { server async throws in
            for fields in [[:], [.contentType: "text/plain"], [.contentType: "text/plain; charset=utf-8"]] as [HTTPFields] {
                let answer = try await server.send(.post, "/sign", fields, body: Array(Self.version1.utf8))
                #expect(answer.status == 200)
                #expect(answer.text == "OSS LTAI5tMockAccessKeyId01:\(Self.signature)")
                #expect(answer.fields[.contentType] == "text/plain; charset=utf-8")
            }
            let other = try await server.send(.post, "/sign", body: Array((Self.version1 + "\n").utf8))
            #expect(other.text != "OSS LTAI5tMockAccessKeyId01:\(Self.signature)")
        }
    }

    @Test("sign a field of a form and a member of an object")
    func documents() async throws {
        try await AppServerSandbox.run { server async throws in
            let form: FormFields = ["content": Self.version1]
            let bodies: [(String, String)] = [
                ("application/x-www-form-urlencoded", form.encoded),
                ("application/json", JSONValue.object(["content": .string(Self.version1)]).serialized()),
                (
                    "application/json; charset=utf-8",
                    JSONValue.object(["version": "v1", "stringToSign": .string(Self.version1)]).serialized()
                ),
            ]
            for (type, body) in bodies {
                let answer = try await server.send(.post, "/sign", [.contentType: type], body: Array(body.utf8))
                #expect(answer["authorization"] == "OSS LTAI5tMockAccessKeyId01:\(Self.signature)")
                #expect(answer["signature"] == Self.signature)
                #expect(answer["accessKeyId"] == "LTAI5tMockAccessKeyId01")
                #expect(answer.json["StatusCode"] == 200)
            }
        }
    }

    @Test("sign Version 4 with the key of the day, region and product", arguments: ["20231216", "20231216T162057Z"])
    func version4(date: String) async throws {
        try await AppServerSandbox.run { server async throws in
            let request: JSONValue = [
                "version": "v4", "method": "PUT", "bucket": "examplebucket", "stringToSign": .string(Self.version4),
                "date": .string(date), "region": "cn-hangzhou", "product": "oss",
            ]
            let answer = try await server.send(
                .post, "/sign", [.contentType: "application/json"], body: request.serializedBytes())
            #expect(answer["signature"] == "0e92b26431a289b30d9cf63c359890ad1fe33cfcb0d1a4cdf08c01b5b7aafaad")
        }
    }

    @Test(
        "refuse to sign a body that they cannot parse",
        arguments: [
            ("application/json", "{"), ("application/json", "[]"), ("application/json", "{}"), ("application/json", #"{"content":1}"#),
            ("application/json", #"{"version":"v2","stringToSign":"x"}"#), ("application/json", #"{"version":4,"stringToSign":"x"}"#),
            ("application/json", #"{"version":"v4","stringToSign":"x"}"#),
            ("application/json", #"{"version":"v4","stringToSign":"x","date":"today","region":"r"}"#),
            ("application/x-www-form-urlencoded", "other=1"), ("application/x-www-form-urlencoded", "content=%"),
        ])
    func malformed(type: String, body: String) async throws {
        try await AppServerSandbox.run { server async throws in
            let answer = try await server.send(.post, "/sign", [.contentType: type], body: Array(body.utf8))
            #expect(answer.status == 400)
            #expect(answer["ErrorCode"] == "InvalidParameter")
            let long = [UInt8](repeating: 65, count: 70_000)
            #expect(try await server.send(.post, "/sign", body: long).status == 413)
        }
    }

    @Test("refuse truncated bodies", arguments: ["/sign", "/sts/getsts"])
    func cutOff(path: String) async throws {
        try await AppServerSandbox.run { server async throws in
            let head = HTTPRequest(
                method: .post, scheme: "http", authority: "localhost:4566", path: path,
                headerFields: [.contentType: "application/x-www-form-urlencoded"])
            let call = Call(
                request: Request(head: head, body: .cutOff()), peer: nil, isSecure: false, cloud: server.cloud,
                names: HostNames())
            #expect(await server.face.respond(to: call).status == .badRequest)
        }
    }

    private static let credentials = "/latest/meta-data/ram/security-credentials"

    @Test("name the machine's role and return its credentials")
    func metadata() async throws {
        try await AppServerSandbox.run { server async throws in
            for path in [Self.credentials, Self.credentials + "/"] {
                let list = try await server.send(.get, path)
                #expect(list.status == 200)
                #expect(list.text == "app-user")
            }
            let answer = try await server.send(.get, Self.credentials + "/app-user")
            #expect(answer.status == 200)
            #expect(answer["Code"] == "Success")
            #expect(
                Set(answer.json.names) == [
                    "AccessKeyId", "AccessKeySecret", "SecurityToken", "Expiration", "LastUpdated", "Code",
                ])
            let session = try server.session(of: answer)
            #expect(session.principal.name.hasPrefix("acs:ram::1234567890123456:assumed-role/app-user/"))
            #expect(answer["LastUpdated"] == session.credentials.issued.iso8601)
            #expect(session.policies == nil)
            for path in ["/other", "/app-user/", "/app-user/x", "/%", "/%2Fapp-user"] {
                #expect(try await server.send(.get, Self.credentials + path).status == 404)
            }
            #expect(try await server.send(.put, Self.credentials).status == 405)
        }
    }

    @Test("return no credentials of a role that does not trust ECS, and record why")
    func untrustedRole() async throws {
        let seed = AppServerSandbox.seed().replacing("ecs.aliyuncs.com", with: "fc.aliyuncs.com")
        try await AppServerSandbox.run(seed) { server async throws in
            #expect(try await server.send(.get, Self.credentials).text == "app-user")
            let answer = try await server.send(.get, Self.credentials + "/app-user")
            #expect(answer.status == 404)
            #expect(answer.text == "NotFound: ECS cannot assume the role app-user.\n")
            let denial = try #require(answer.journal.denial)
            #expect(denial.action == "sts:AssumeRole")
            #expect(
                denial.evidence.remedy?.explanation == [
                    "to allow it, add to the trust policy of app-user:",
                    #"  {"Effect":"Allow","Principal":{"Service":["ecs.aliyuncs.com"]},"Action":"sts:AssumeRole"}"#,
                ])
        }
    }

    @Test("accept a metadata token until it expires, and no other token")
    func metadataTokens() async throws {
        try await AppServerSandbox.run { server async throws in
            let lifetime = try #require(HTTPField.Name("X-aliyun-ecs-metadata-token-ttl-seconds"))
            let name = try #require(HTTPField.Name("X-aliyun-ecs-metadata-token"))
            for wrong in ["", "0", "21601", "x"] {
                #expect(try await server.send(.put, "/latest/api/token", [lifetime: wrong]).status == 400)
            }
            #expect(try await server.send(.put, "/latest/api/token").status == 400)
            // The clock is frozen, so that the duration of the test does not matter.
            try await server.cloud.change(clock: .freeze(at: nil))
            let token = try await server.send(.put, "/latest/api/token", [lifetime: "60"])
            #expect(token.status == 200)
            #expect(!token.text.isEmpty)
            #expect(try await server.send(.get, Self.credentials + "/app-user", [name: token.text]).status == 200)
            #expect(try await server.send(.get, Self.credentials + "/app-user", [name: token.text + "x"]).status == 401)
            try await server.cloud.age(by: .seconds(61))
            #expect(try await server.send(.get, Self.credentials + "/app-user", [name: token.text]).status == 401)
        }
    }

    @Test(
        "refuse pages of other sites, and names that are bound to this machine's address",
        arguments: [
            (.post, "/sign"), (.get, "/sts/getsts"), (.get, "/distribute-token.json"),
            (.get, "/latest/meta-data/ram/security-credentials/app-user"),
        ] as [(HTTPRequest.Method, String)])
    func pages(method: HTTPRequest.Method, path: String) async throws {
        try await AppServerSandbox.run { server async throws in
            for fields in [[.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "cross-site"]] as [HTTPFields] {
                let answer = try await server.send(method, path, fields)
                #expect(answer.status == 403)
                #expect(answer.journal.errorCode == "AccessDenied")
            }
            #expect(try await server.send(method, path, authority: "rebound.example").status == 403)
            #expect(try await server.send(method, path).status == 200)
            #expect(try await server.send(method, path, authority: "127.0.0.1:4566").status == 200)
        }
    }

    @Test("return the metadata to this machine only")
    func otherMachines() async throws {
        try await AppServerSandbox.run { server async throws in
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            let lifetime = try #require(HTTPField.Name("X-aliyun-ecs-metadata-token-ttl-seconds"))
            let remote: HTTPFields = [forwarded: "192.0.2.1"]
            #expect(try await server.send(.get, Self.credentials + "/app-user", remote).status == 403)
            #expect(try await server.send(.put, "/latest/api/token", [lifetime: "60", forwarded: "192.0.2.1"]).status == 403)
            #expect(try await server.send(.get, "/sts/getsts", remote).status == 200)
        }
    }

    @Test("exist only if the seed configures an app server")
    func absent() async throws {
        let seed = """
            {alibaba: {accounts: [], appServer: {signingKey: {id: "a", secret: "b"}}}}
            """
        try await AppServerSandbox.run(seed) { server async throws in
            let directory = server.cloud.directory
            #expect(AppServerFace.answers("/sign", in: directory))
            for path in ["/sts/getsts", "/distribute-token.json", "/latest/api/token", Self.credentials + "/x", "/latest/", "/signs"] {
                #expect(!AppServerFace.answers(path, in: directory))
                #expect(try await server.send(.get, path).status == 404)
            }
            #expect(!AppServerFace.answers("/sign", in: Directory()))
        }
    }
}
