import Calls
import Cloud
import ControlFace
import Directory
import Federation
import HTTPTypes
import RequestSigning
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
            #expect(answer["kind"] == "jwt", "\(answer)")
            #expect(answer["valid"] == true, "\(answer)")
            #expect(answer["subject"]?["person"] == "alice")
            #expect(answer["decoded"]?["claims"]?["sub"] == "1")
            let roles = answer["roles"]?.arrayValue ?? []
            #expect(roles.contains { $0["arn"] == "arn:aws:iam::000000000000:role/web" && $0["accepts"] == true }, "\(roles)")
            #expect(roles.contains { $0["arn"] == "arn:aws:iam::000000000000:role/reader" && $0["accepts"] == false })
            let other = try await Self.inspect(door, issued["token"]?.stringValue ?? "", expect: ["audience": "cli", "nonce": "n"])
            #expect(Self.failed(other) == ["audience", "nonce"])
            #expect(other["valid"] == false)
        }
    }

    @Test(
        "says what is wrong with a token",
        arguments: [
            ("expired", "times"), ("notYetValid", "times"), ("issuedInTheFuture", "times"), ("wrongAudience", "audience"),
            ("wrongIssuer", "issuer"), ("unknownKeyID", "signature"), ("missingKeyID", "signature"), ("algNone", "format"),
            ("hs256WithPublicKey", "format"), ("flippedSignatureBit", "signature"), ("emptySignature", "signature"),
            ("otherKey", "signature"), ("embeddedKey", "signature"), ("keySetURL", "signature"), ("embeddedCertificate", "signature"),
            ("certificateURL", "signature"), ("criticalExtension", "format"), ("nestedToken", "format"), ("hugeClaims", "size"),
        ])
    func faults(fault: String, check: String) async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice", "fault": .string(fault)])
            let answer = try await Self.inspect(door, issued["token"]?.stringValue ?? "")
            #expect(Self.failed(answer).contains(check), "\(answer)")
            #expect(answer["valid"] == false)
            #expect(answer["verdict"]?.stringValue?.hasPrefix("Not valid: ") == true)
            #expect(answer["roles"]?.arrayValue?.allSatisfy { $0["accepts"] == false } == true)
        }
    }

    @Test("knows opaque tokens, revoked and aged ones")
    func opaque() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "facebook", "user": "alice"])
            let token = issued["token"]?.stringValue ?? ""
            let answer = try await Self.inspect(door, token)
            #expect(answer["kind"] == "opaque_token", "\(answer)")
            #expect(answer["valid"] == true, "\(answer)")
            #expect(answer["subject"]?["person"] == "alice", "\(answer)")
            _ = try await door.control(.post, "/clock", ["age": "P365D"])
            #expect(Self.failed(try await Self.inspect(door, token)) == ["times"])
            try await door.cloud.grants.revoke(token)
            #expect(Self.failed(try await Self.inspect(door, token)) == ["issued"])
        }
    }

    @Test("recognizes the form of a provider's opaque tokens", arguments: ["EAAx", "Atza|x", "Atzr|x", "gho_x"])
    func unknownOpaque(token: String) async throws {
        try await DoorOfATest.run { door async throws in
            let answer = try await Self.inspect(door, token)
            #expect(answer["kind"] == "opaque_token", "\(answer)")
            #expect(Self.failed(answer) == ["issued"])
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
                text, String(decoding: xml, as: UTF8.self), xml.deflated.base64, xml.gzipped.base64,
                "SAMLResponse=\(percentEncoded(text))&RelayState=x",
            ] {
                let answer = try await Self.inspect(door, encoded, expect: ["audience": "https://app.example"])
                #expect(answer["kind"] == "saml_response", "\(answer)")
                #expect(answer["valid"] == true, "\(answer)")
                #expect(answer["decoded"]?["attributes"]?.arrayValue != nil)
                let alone = try await Self.inspect(door, answer["decoded"]?["assertion"]?["gzip"]?.stringValue ?? "")
                #expect(alone["kind"] == "saml_assertion", "\(alone)")
                #expect(alone["valid"] == true, "\(alone)")
            }
            let changed = String(decoding: xml, as: UTF8.self).replacing("https://app.example</", with: "https://ape.example</")
            #expect(Self.failed(try await Self.inspect(door, changed)) == ["signature"])
        }
    }

    @Test("verifies URLs of every version, with the bucket in the path or the host")
    func urls() async throws {
        try await DoorOfATest.run { door async throws in
            for (authority, path) in [
                ("localhost:4566", "/box/a%20b"), ("box.localhost:4566", "/a%20b"), ("box.s3.localhost:4566", "/a%20b"),
            ] {
                for query in [Self.presigned(authority, path, .now()), Self.presignedV2(authority, path)] {
                    let answer = try await Self.inspect(door, "http://\(authority)\(query)")
                    #expect(answer["kind"] == "presigned_url", "\(authority) \(answer)")
                    #expect(answer["valid"] == true, "\(authority) \(answer)")
                    #expect(answer["decoded"]?["methods"] == ["GET"])
                    let changed = try await Self.inspect(door, "http://\(authority)\(query.replacing("a%20b", with: "a%20c"))")
                    #expect(Self.failed(changed) == ["signature"], "\(changed)")
                }
            }
        }
    }

    private static func presigned(_ authority: String, _ path: String, _ time: Timestamp) -> String {
        let signer = SignatureV4.Signer(accessKey: "test", secret: "secret", sessionToken: nil, region: "us-east-1", service: "s3")
        return signer.presign(SignableRequest(method: "GET", target: path, authority: authority), expires: .seconds(600), at: time)
    }

    private static func presignedV2(_ authority: String, _ path: String) -> String {
        let expires = Timestamp.now().seconds + 600
        let bucket = authority.hasPrefix("box.") ? "/box" : ""
        let signature = SignatureV2.signature(of: "GET\n\n\n\(expires)\n\(bucket)\(path)", secret: "secret")
        return "\(path)?AWSAccessKeyId=test&Expires=\(expires)&Signature=\(percentEncoded(signature))"
    }

    @Test(
        "says where a text stops being what it resembles",
        arguments: [
            ("{\n \"a\": ,}", "json", "line 2, column 7"), ("<a>\n</b>", "xml", "line 2"),
            ("eyJhbGciOiJSUzI1NiJ9.e30", "jwt", "2 parts instead of 3"), ("eyJhbGciOiJSUzI1NiJ9.e!.x", "jwt", "character 2 is not allowed"),
            ("https://example.com/?a=b", "url", "no complete signature"), ("H4sIAAAAAAAA", "unknown", "gzip"),
        ])
    func places(text: String, kind: String, detail: String) async throws {
        try await DoorOfATest.run { door async throws in
            let answer = try await Self.inspect(door, text)
            #expect(answer["kind"] == .string(kind), "\(answer)")
            #expect(answer["verdict"]?.stringValue?.contains(detail) == true, "\(answer)")
        }
    }

    @Test("compares the hash of the access token")
    func accessTokenHash() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(
                .post, "/tokens", ["provider": "company", "user": "alice", "fault": "wrongAccessTokenHash"])
            let answer = try await Self.inspect(door, issued["token"]?.stringValue ?? "", expect: ["accessToken": "x"])
            #expect(Self.failed(answer) == ["access token"], "\(answer)")
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
            #expect(session["kind"] == "session_token", "\(session)")
            #expect(session["valid"] == true, "\(session)")
            #expect(session["subject"]?["holder"] == "arn:aws:iam::000000000000:role/reader")
            let message = try await Self.inspect(door, header("response", "x-virga-authorization-message"))
            #expect(message["kind"] == "authorization_message")
            #expect(message["decoded"]?["message"]?["allowed"] == false)
            let policy = try await Self.inspect(
                door, #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}"#)
            #expect(policy["kind"] == "policy")
            #expect(policy["decoded"]?["kinds"] == ["identity-based"])
            #expect(Self.failed(try await Self.inspect(door, #"{"Statement":[{"Effect":"Maybe"}]}"#)) == ["syntax"])
            let form = try await Self.inspect(door, Array(#"{"expiration":"2020-01-01T00:00:00Z","conditions":[]}"#.utf8).base64)
            #expect(form["kind"] == "post_policy")
            #expect(Self.failed(form) == ["times"])
            for text in [
                "x", "a.b.c", "....", "%%%", "<a", "/box/key?X-Amz-Signature=1", "{}", "PHg+", String(repeating: "A", count: 100_000),
            ] {
                #expect(try await Self.inspect(door, text)["kind"]?.stringValue != nil, "\(text.prefix(20))")
            }
        }
    }
}
