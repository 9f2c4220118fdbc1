import Calls
import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import VirgaServer

@Suite("The control API shows effective times of what was aged")
struct AgedTimesTests {
    private static func element(_ name: String, in text: String) throws -> String {
        let start = try #require(text.firstRange(of: "<\(name)>"))
        return String(text[start.upperBound...].prefix { $0 != "<" })
    }

    private static func time(_ value: JSONValue?) throws -> Timestamp {
        try #require(value?.stringValue.flatMap { Timestamp(iso8601: $0) })
    }

    private static func detail(_ inspected: JSONValue) -> String {
        inspected["checks"]?.arrayValue?.first { $0["name"] == "times" }?["detail"]?.stringValue ?? ""
    }

    private static func inspect(_ door: DoorOfATest, _ text: String) async throws -> JSONValue {
        try await door.control(.post, "/inspect", ["text": .string(text), "expect": [:]])
    }

    @Test("for sessions: in the list, the explanation and the inspection")
    func session() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice"])
            let answer = try await door.send(
                .post, "/",
                "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn:aws:iam::000000000000:role/web"
                    + "&RoleSessionName=test&WebIdentityToken=\(issued["token"]?.stringValue ?? "")",
                fields: [.contentType: "application/x-www-form-urlencoded"])
            let text = String(decoding: answer.bytes, as: UTF8.self)
            let (key, token) = (try Self.element("AccessKeyId", in: text), try Self.element("SessionToken", in: text))
            func shown(_ name: String) async throws -> [Timestamp] {
                let principals = try await door.control(.get, "/principals")["principals"]?.arrayValue
                let explained = try await door.control(
                    .post, "/explain", ["as": .string(key), "action": "s3:GetObject", "resource": "arn:aws:s3:::box/a"])
                let inspected = try await Self.inspect(door, token)
                let documents = [principals?.first { $0["kind"] == "session" }, explained["session"], inspected["decoded"]]
                return try documents.map { try Self.time($0?[name]) }
            }
            let (start, end) = (try await shown("issued"), try await shown("expires"))
            #expect(end.allSatisfy { $0 == end[0] })
            try await door.cloud.age(by: .seconds(3000))
            #expect(try await shown("issued") == start.map { $0 - .seconds(3000) })
            #expect(try await shown("expires") == end.map { $0 - .seconds(3000) })
            #expect(try await Self.detail(Self.inspect(door, token)).contains((end[0] - .seconds(3000)).iso8601))
        }
    }

    @Test("for opaque tokens")
    func opaqueToken() async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await door.control(.post, "/tokens", ["provider": "facebook", "user": "alice"])["token"]?.stringValue ?? ""
            let before = try await Self.inspect(door, token)["decoded"]
            try await door.cloud.age(by: .seconds(600))
            let after = try await Self.inspect(door, token)
            for name in ["issued", "expires"] {
                #expect(try Self.time(after["decoded"]?[name]) == Self.time(before?[name]) - .seconds(600))
            }
            #expect(Self.detail(after).contains(try Self.time(after["decoded"]?["expires"]).iso8601))
        }
    }

    @Test("for ID tokens, whose claims stay as they are")
    func idToken() async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await door.control(.post, "/tokens", ["provider": "company", "user": "alice"])["token"]?.stringValue ?? ""
            try await door.cloud.age(by: .seconds(600))
            let inspected = try await Self.inspect(door, token)
            let expiry = try #require(inspected["decoded"]?["claims"]?["exp"]?.integerValue)
            #expect(Self.detail(inspected).contains(Timestamp(seconds: expiry - 600).iso8601))
        }
    }

    @Test("for assertions")
    func assertion() async throws {
        try await DoorOfATest.run { door async throws in
            let issued = try await door.control(
                .post, "/tokens", ["provider": "company", "user": "alice", "serviceProvider": "https://app.example"])
            let text = issued["SAMLResponse"]?.stringValue ?? ""
            func end() async throws -> Timestamp {
                let words = try await Self.detail(Self.inspect(door, text))
                let start = try #require(words.firstRange(of: " at ")).upperBound
                return try #require(Timestamp(iso8601: String(words[start...].prefix { $0 != ";" })))
            }
            let before = try await end()
            try await door.cloud.age(by: .seconds(60))
            #expect(try await end() == before - .seconds(60))
        }
    }

    @Test("for signing keys")
    func signingKeys() async throws {
        try await DoorOfATest.run { door async throws in
            _ = try await door.cloud.signingKey(for: "company")
            func created() async throws -> Timestamp {
                let keys = try await door.control(.get, "/keys?provider=company")["providers"]?["company"]?.arrayValue
                return try Self.time(keys?.first?["created"])
            }
            let before = try await created()
            try await door.cloud.age(by: .seconds(3600))
            #expect(try await created() == before - .seconds(3600))
        }
    }
}
