import Calls
import Cloud
import ControlFace
import HTTPTypes
import Testing
import WireFormats

@testable import VirgaServer

@Suite("A request that the control API sends")
struct SendTests {
    private static let root = "arn:aws:iam::000000000000:root"

    @Test("is signed as a principal, and shows what was signed", arguments: ["v4", "v2"])
    func principal(kind: String) async throws {
        try await DoorOfATest.run { door async throws in
            let put = try await door.control(
                .post, "/send",
                [
                    "as": .string(Self.root), "method": "PUT", "target": "/box/a%20b", "body": "hello", "signature": .string(kind),
                    "headers": ["Content-Type": "text/plain", "x-amz-meta-colour": "red"],
                ])
            #expect(put["response"]?["status"] == 200)
            #expect(put["as"] == .string(Self.root))
            let signature = put["request"]?["signature"]
            #expect(signature?["kind"] == .string(kind))
            #expect(signature?["string_to_sign"]?.stringValue?.hasPrefix(kind == "v4" ? "AWS4-HMAC-SHA256\n" : "PUT\n") == true)
            #expect((signature?["canonical_request"]?.stringValue?.hasPrefix("PUT\n/box/a%20b\n") == true) == (kind == "v4"))
            let get = try await door.control(.post, "/send", ["as": "ann-key", "target": "/box/a%20b", "signature": .string(kind)])
            #expect(get["response"]?["status"] == 403)
            #expect(get["as"] == "arn:aws:iam::000000000000:user/ann")
            #expect(get["response"]?["body"]?["text"]?.stringValue?.contains("<Code>AccessDenied</Code>") == true)
            let entry = try await door.control(.get, "/journal/\(get["number"]?.integerValue ?? 0)")
            #expect(entry["request_id"] == get["request_id"])
            #expect(entry["decisions"]?.arrayValue?.first?["decision"] == "implicitDeny")
        }
    }

    @Test("can come from a role, a user without a key, given keys, and a session that is running")
    func sessions() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.control(.post, "/send", ["as": "test", "method": "PUT", "target": "/box/key", "body": "hello"])
            let role = "arn:aws:iam::000000000000:role/reader"
            let first = try await door.control(.post, "/send", ["as": .string(role), "target": "/box/key"])
            let session = "arn:aws:sts::000000000000:assumed-role/reader/virga"
            #expect(first["response"]?["status"] == 200)
            #expect(first["as"] == .string(session))
            #expect(first["response"]?["body"] == ["bytes": 5, "truncated": false, "text": "hello"])
            let second = try await door.control(.post, "/send", ["as": .string(session), "method": "DELETE", "target": "/box/key"])
            #expect(second["response"]?["status"] == 403)
            #expect(second["as"] == .string(session))
            let bob = try await door.control(.post, "/send", ["as": "arn:aws:iam::000000000000:user/bob", "target": "/box/key"])
            #expect(bob["response"]?["status"] == 403)
            #expect(bob["as"] == "arn:aws:iam::000000000000:user/bob")
            let given = try await door.control(
                .post, "/send", ["as": ["accessKeyId": "test", "secretAccessKey": "wrong"], "target": "/box/key"])
            #expect(given["response"]?["body"]?["text"]?.stringValue?.contains("SignatureDoesNotMatch") == true)
            let nobody = try await door.control(.post, "/send", ["target": "/box/key"])
            #expect(nobody["response"]?["status"] == 403)
            #expect(nobody["as"] == .null)
            #expect(nobody["request"]?["signature"] == .null)
            let identity = try await door.control(
                .post, "/send",
                [
                    "as": .string(role), "service": "sts", "method": "POST", "target": "/",
                    "headers": ["Content-Type": "application/x-www-form-urlencoded"], "body": "Action=GetCallerIdentity&Version=2011-06-15",
                ])
            #expect(identity["response"]?["body"]?["text"]?.stringValue?.contains("<Arn>\(session)</Arn>") == true)
        }
    }

    @Test("is signed for OSS and for RPC", arguments: ["oss-v1", "oss-v2", "oss-v4"])
    func alibaba(kind: String) async throws {
        try await DoorOfATest.run { door async throws in
            let put = try await door.control(
                .post, "/send",
                ["as": "LTAItest", "method": "PUT", "target": "/oss-box/key", "body": "hello", "signature": .string(kind)])
            #expect(put["response"]?["status"] == 200, "\(put)")
            #expect(put["request"]?["signature"]?["string_to_sign"]?.stringValue?.isEmpty == false)
            for service in ["alibaba-sts"] {
                let form = try await door.control(
                    .post, "/send",
                    [
                        "as": "LTAItest", "service": .string(service), "method": "POST", "target": "/",
                        "headers": ["Content-Type": "application/x-www-form-urlencoded"],
                        "body": "Action=GetCallerIdentity&Version=2015-04-01&Format=JSON",
                    ])
                #expect(form["response"]?["body"]?["text"]?.stringValue?.contains("1000000000000000") == true, "\(form)")
                let query = try await door.control(
                    .post, "/send",
                    [
                        "as": "LTAItest", "service": .string(service),
                        "target": "/?Action=GetCallerIdentity&Version=2015-04-01&Format=JSON",
                    ])
                #expect(query["response"]?["status"] == 200, "\(query)")
                let acs3 = try await door.control(
                    .post, "/send",
                    [
                        "as": "LTAItest", "service": .string(service), "signature": "acs3", "method": "POST", "target": "/",
                        "headers": ["x-acs-action": "GetCallerIdentity", "x-acs-version": "2015-04-01"],
                    ])
                #expect(acs3["response"]?["status"] == 200, "\(acs3)")
                #expect(acs3["request"]?["signature"]?["canonical_request"]?.stringValue?.hasPrefix("POST\n/\n") == true)
            }
        }
    }

    @Test("bears a token or a password")
    func otherCredentials() async throws {
        try await DoorOfATest.run { door async throws in
            for (sender, value) in [
                (["bearer": "abc"], "Bearer abc"), (["basic": ["username": "a", "password": "b"]], "Basic YTpi"),
            ] as [(JSONValue, String)] {
                let answer = try await door.control(.post, "/send", ["as": sender, "target": "/idp/company/userinfo"])
                let fields = answer["request"]?["headers"]?.arrayValue ?? []
                #expect(fields.contains(["name": "Authorization", "value": .string(value)]))
            }
        }
    }

    @Test("has a command in which no method is a part of the shell's language", arguments: ["X|id", "X`id`", "X&id", "X'|id'"])
    func methodsOfShells(method: String) async throws {
        try await DoorOfATest.run { door async throws in
            let sent = try await door.control(.post, "/send", ["method": .string(method), "target": "/box"])
            let entry = try await door.control(.get, "/journal/\(sent["number"]?.integerValue ?? 0)")
            let word = "--request '\(method.replacing("'", with: "'\\''"))'"
            #expect(sent["curl"]?.stringValue?.contains(word) == true)
            #expect(entry["curl"]?.stringValue?.contains(word) == true)
        }
    }

    @Test("never leaves, whatever host it names")
    func hosts() async throws {
        try await DoorOfATest.run { door async throws in
            let answer = try await door.control(
                .post, "/send", ["as": "test", "target": "/key", "method": "PUT", "body": "x", "headers": ["Host": "box.s3.amazonaws.com"]])
            #expect(answer["response"]?["status"] == 200)
            #expect(answer["request"]?["host"] == "box.s3.amazonaws.com")
            #expect(answer["curl"]?.stringValue?.contains("'http://localhost:4566/key'") == true)
            #expect(answer["curl"]?.stringValue?.contains("--header 'Host: box.s3.amazonaws.com'") == true)
            let other = try await door.control(.post, "/send", ["target": "/", "headers": ["Host": "evil.example"]])
            #expect(other["response"]?["status"]?.integerValue != nil)
        }
    }

    @Test(
        "is refused if it is none",
        arguments: [
            (#"{}"#, "missing_member"), (#"{"target":"http://evil.example/"}"#, "malformed_member"),
            (#"{"target":"/a b"}"#, "malformed_member"),
            (#"{"target":"/a\r\nX: y"}"#, "malformed_member"), (#"{"target":"/#x"}"#, "malformed_member"),
            (#"{"target":""}"#, "malformed_member"),
            (#"{"target":"/_virga/reset","method":"POST"}"#, "control_target"), (#"{"target":"/_virga"}"#, "control_target"),
            (#"{"target":"/_virga?x"}"#, "control_target"), (#"{"target":"/","method":"G T"}"#, "malformed_member"),
            (#"{"target":"/","method":"CONNECT"}"#, "malformed_member"), (#"{"target":"/","headers":{"a b":"c"}}"#, "malformed_member"),
            (#"{"target":"/","headers":{"a":"b\nc"}}"#, "malformed_member"),
            (#"{"target":"/","headers":{"Host":"a b"}}"#, "malformed_member"),
            (#"{"target":"/","as":"arn:aws:iam::000000000000:user/zoe"}"#, "unknown_caller"),
            (#"{"target":"/","as":{}}"#, "malformed_member"),
            (#"{"target":"/","as":{"bearer":"a\nb"}}"#, "malformed_member"), (#"{"target":"/","as":7}"#, "malformed_member"),
            (#"{"target":"/","body":{"base64":"*"}}"#, "malformed_member"), (#"{"target":"/","signature":"v3"}"#, "malformed_member"),
            (#"{"target":"/","url":"x"}"#, "unknown_member"),
        ])
    func refusals(body: String, error: String) async throws {
        try await DoorOfATest.run { door async throws in
            let answer = try await door.send(.post, "/_virga/send", body)
            #expect([400, 404].contains(answer.status))
            #expect(try JSONValue(parsing: answer.bytes)["error"] == .string(error))
            #expect(door.cloud.generation == 1)
        }
    }

    @Test("has at most a mebibyte each way")
    func sizes() async throws {
        try await DoorOfATest.run { door async throws in
            let body = String(repeating: "a", count: 1 << 20)
            let put = try await door.control(.post, "/send", ["as": "test", "method": "PUT", "target": "/box/big", "body": .string(body)])
            #expect(put["response"]?["status"] == 200)
            let refused = try await door.send(
                .post, "/_virga/send", (["target": "/box/big", "method": "PUT", "body": .string(body + "a")] as JSONValue).serialized())
            #expect(refused.status == 413)
            let more = try await door.control(
                .post, "/send",
                ["as": "test", "method": "PUT", "target": "/box/copy", "headers": ["x-amz-copy-source": "/box/big"]])
            #expect(more["response"]?["status"] == 200)
            let get = try await door.control(.post, "/send", ["as": "test", "target": "/box/big"])
            #expect(get["response"]?["body"]?["bytes"] == 1_048_576)
            #expect(get["response"]?["body"]?["truncated"] == false)
        }
    }

    @Test("says that a fault closed the connection")
    func lost() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.control(.post, "/faults", ["service": "s3", "connection": "answer"])
            let answer = try await door.control(.post, "/send", ["as": "test", "target": "/box"])
            #expect(answer["response"]?["lost"] == true)
            #expect(answer["response"]?["status"] == 0)
        }
    }
}
