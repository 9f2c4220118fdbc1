import Calls
import Cloud
import ControlFace
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import VirgaServer

@Suite("The inspection of a text")
struct InspectTests {
    private static func inspect(_ door: DoorOfATest, _ text: String, expect: JSONValue = [:]) async throws -> JSONValue {
        try await door.control(.post, "/inspect", ["text": .string(text), "expect": expect])
    }

    private static func failed(_ answer: JSONValue) -> [String] {
        answer["checks"]?.arrayValue?.filter { $0["passed"] == false }.compactMap { $0["name"]?.stringValue } ?? []
    }

    @Test("names the person, the key and the roles of an ID token")
    func token() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice"])
            let answer = try await Self.inspect(door, " \(issued["token"]?.stringValue ?? "")\n", expect: ["audience": "web"])
            #expect(answer["kind"] == "jwt" && answer["valid"] == true, "\(answer)")
            #expect(answer["subject"]?["person"] == "alice" && answer["decoded"]?["claims"]?["sub"] == "1")
            let roles = answer["roles"]?.arrayValue ?? []
            #expect(roles.contains { $0["arn"] == "arn:aws:iam::000000000000:role/web" && $0["accepts"] == true }, "\(roles)")
            #expect(roles.contains { $0["arn"] == "arn:aws:iam::000000000000:role/reader" && $0["accepts"] == false })
            let other = try await Self.inspect(door, issued["token"]?.stringValue ?? "", expect: ["audience": "cli", "nonce": "n"])
            #expect(Self.failed(other) == ["audience", "nonce"] && other["valid"] == false)
        }
    }

    @Test(
        "says what is wrong with a token",
        arguments: [
            ("expired", "times"), ("notYetValid", "times"), ("issuedInTheFuture", "times"), ("wrongAudience", "audience"),
            ("wrongIssuer", "issuer"), ("unknownKeyID", "signature"), ("missingKeyID", "signature"), ("algNone", "algorithm"),
            ("hs256WithPublicKey", "algorithm"), ("flippedSignatureBit", "signature"), ("emptySignature", "signature"),
            ("otherKey", "signature"),
            ("criticalExtension", "algorithm"),
        ])
    func faults(fault: String, check: String) async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice", "fault": .string(fault)])
            let answer = try await Self.inspect(door, issued["token"]?.stringValue ?? "")
            #expect(Self.failed(answer).contains(check), "\(answer)")
            #expect(answer["valid"] == false && answer["verdict"]?.stringValue?.hasPrefix("Not valid: ") == true)
            #expect(answer["roles"]?.arrayValue?.allSatisfy { $0["accepts"] == false } == true || fault == "wrongAudience")
        }
    }

    @Test("knows opaque tokens, revoked and aged ones")
    func opaque() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "facebook", "user": "alice"])
            let token = issued["token"]?.stringValue ?? ""
            let answer = try await Self.inspect(door, token)
            #expect(answer["kind"] == "opaque_token" && answer["valid"] == true && answer["subject"]?["person"] == "alice", "\(answer)")
            _ = try await door.control(.post, "/clock", ["age": "P365D"])
            #expect(Self.failed(try await Self.inspect(door, token)) == ["times"])
            try await door.cloud.grants.revoke(token)
            #expect(Self.failed(try await Self.inspect(door, token)) == ["issued"])
        }
    }

    @Test("reads assertions in every encoding")
    func assertions() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(
                .post, "/tokens", ["provider": "company", "user": "alice", "serviceProvider": "https://app.example"])
            let text = issued["SAMLResponse"]?.stringValue ?? ""
            let xml = [UInt8](base64: text) ?? []
            for encoded in [
                text, String(decoding: xml, as: UTF8.self), xml.deflated.base64, "SAMLResponse=\(percentEncoded(text))&RelayState=x",
            ] {
                let answer = try await Self.inspect(door, encoded, expect: ["audience": "https://app.example"])
                #expect(answer["kind"] == "saml_response" && answer["valid"] == true, "\(answer)")
                #expect(answer["decoded"]?["attributes"]?.arrayValue != nil)
            }
            let changed = String(decoding: xml, as: UTF8.self).replacing("https://app.example</", with: "https://ape.example</")
            #expect(Self.failed(try await Self.inspect(door, changed)) == ["signature"])
        }
    }

    @Test("knows session tokens, authorization messages, URLs and documents")
    func others() async throws {
        try await DoorOfATest.run { door async throws in
            let sent = try await door.control(
                .post, "/send", ["as": "arn:aws:iam::000000000000:role/reader", "target": "/box", "method": "DELETE"])
            func header(_ part: String, _ name: String) -> String {
                sent[part]?["headers"]?.arrayValue?.first { $0["name"]?.stringValue?.lowercased() == name }?["value"]?.stringValue ?? ""
            }
            let session = try await Self.inspect(door, header("request", "x-amz-security-token"))
            #expect(session["kind"] == "session_token" && session["valid"] == true, "\(session)")
            #expect(session["subject"]?["holder"] == "arn:aws:iam::000000000000:role/reader")
            let message = try await Self.inspect(door, header("response", "x-virga-authorization-message"))
            #expect(message["kind"] == "authorization_message" && message["decoded"]?["message"]?["allowed"] == false)
            let policy = try await Self.inspect(
                door, #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#)
            #expect(policy["kind"] == "policy" && policy["decoded"]?["kinds"] == ["identity-based"])
            #expect(Self.failed(try await Self.inspect(door, #"{"Statement":[{"Effect":"Maybe"}]}"#)) == ["syntax"])
            let form = try await Self.inspect(door, Array(#"{"expiration":"2020-01-01T00:00:00Z","conditions":[]}"#.utf8).base64)
            #expect(form["kind"] == "post_policy" && Self.failed(form) == ["times"])
            for text in [
                "x", "a.b.c", "....", "%%%", "<a", "/box/key?X-Amz-Signature=1", "{}", "PHg+", String(repeating: "A", count: 100_000),
            ] {
                #expect(try await Self.inspect(door, text)["kind"]?.stringValue != nil, "\(text.prefix(20))")
            }
        }
    }
}
