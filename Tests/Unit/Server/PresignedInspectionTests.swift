import Cloud
import Directory
import Federation
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import VirgaServer

/// The inspection of a presigned URL says what S3 does with it.
@Suite("The inspection of presigned URLs and S3")
struct PresignedInspectionTests {
    private static let reader = "arn:aws:iam::000000000000:role/reader"

    /// Puts the object of the URLs.
    private static func run(_ test: (DoorOfATest) async throws -> Void) async throws {
        try await DoorOfATest.run { door async throws in
            let put = try await door.control(
                .post, "/send", ["as": "arn:aws:iam::000000000000:root", "method": "PUT", "target": "/box/a%20b", "body": "x"])
            #expect(put["response"]?["status"] == 200, "\(put)")
            try await test(door)
        }
    }

    /// Presigns a GET of the object with the key of the root user.
    private static func presigned(at time: Timestamp = .now(), expires: Duration = .seconds(600)) -> String {
        let signer = SignatureV4.Signer(accessKey: "test", secret: "secret", sessionToken: nil, region: "us-east-1", service: "s3")
        return signer.presign(
            SignableRequest(method: "GET", target: "/box/a%20b", authority: "localhost:4566"), expires: expires, at: time)
    }

    /// Presigns a GET of the object as the role `reader`.
    private static func presignedAsReader(_ door: DoorOfATest) async throws -> String {
        let answer = try await door.control(.post, "/presign", ["as": .string(reader), "target": "/box/a%20b"])
        return try #require(answer["target"]?.stringValue, "\(answer)")
    }

    /// Expects that the inspection and S3 agree, and that the first failed check has the code of S3's response.
    /// - Parameter code: the code that both return; `nil` if both accept the URL.
    private static func expect(_ door: DoorOfATest, _ target: String, _ code: String?, _ comment: Comment) async throws {
        let answer = try await door.send(.get, target)
        let text = String(decoding: answer.bytes, as: UTF8.self)
        let inspection = try await door.control(.post, "/inspect", ["text": .string("http://localhost:4566" + target)])
        let failed = inspection["checks"]?.arrayValue?.first { $0["passed"] == false }
        #expect(answer.status == 200 ? code == nil : code.map { text.contains("<Code>\($0)</Code>") } ?? false, comment)
        #expect(inspection["valid"] == .bool(answer.status == 200), comment)
        #expect(failed?["error"]?["code"]?.stringValue == code, comment)
        if let message = failed?["error"]?["message"]?.stringValue {
            #expect(text.contains("<Message>\(message)</Message>"), comment)
        }
    }

    @Test(
        "agree about dates",
        arguments: [
            (0, 600, nil), (14 * 60, 600, nil), (16 * 60, 600, "AccessDenied"), (2 * 3600, 600, "AccessDenied"),
            (-590, 600, nil), (-610, 600, "AccessDenied"), (-86_400, 604_800, nil), (0, 604_801, "AuthorizationQueryParametersError"),
        ] as [(Int64, Int64, String?)])
    func dates(offset: Int64, lifetime: Int64, code: String?) async throws {
        try await Self.run { door async throws in
            let target = Self.presigned(at: .now() + .seconds(offset), expires: .seconds(lifetime))
            try await Self.expect(door, target, code, "signed \(offset) s from now for \(lifetime) s")
        }
    }

    @Test("agree about keys and sessions")
    func holders() async throws {
        try await Self.run { door async throws in
            let (root, role) = (Self.presigned(), try await Self.presignedAsReader(door))
            try await Self.expect(door, root, nil, "a long-term key")
            try await Self.expect(door, role, nil, "a session")
            _ = try await door.control(.post, "/clock", ["age": "P1D"])
            try await Self.expect(door, role, "ExpiredToken", "an expired session")
            let newer = try await Self.presignedAsReader(door)
            try await Self.expect(door, newer, nil, "a newer session")
            try await door.cloud.edit { $0.remove(.init(.role, Self.reader)) }
            try await Self.expect(door, newer, "InvalidToken", "a session of a deleted role")
            try await Self.expect(door, root.replacing("test%2F", with: "tess%2F"), "InvalidAccessKeyId", "an unknown key")
        }
    }

    @Test("agree about every changed character")
    func changedCharacters() async throws {
        try await Self.run { door async throws in
            let target = Self.presigned()
            let signature = try #require(target.firstRange(of: "X-Amz-Signature="))
            for place in target.indices[signature.upperBound...] {
                var changed = target
                changed.replaceSubrange(place...place, with: target[place] == "0" ? "1" : "0")
                try await Self.expect(door, changed, "SignatureDoesNotMatch", "\(changed)")
            }
            for (part, other, code) in [
                ("a%20b", "a%20c", "SignatureDoesNotMatch"), ("us-east-1", "eu-west-1", "SignatureDoesNotMatch"),
                ("X-Amz-Expires=600", "X-Amz-Expires=601", "SignatureDoesNotMatch"),
                ("X-Amz-Expires=600&", "", "AuthorizationQueryParametersError"),
                ("X-Amz-Expires=600", "X-Amz-Expires=x", "AuthorizationQueryParametersError"),
                ("SignedHeaders=host", "SignedHeaders=date", "AccessDenied"),
            ] {
                try await Self.expect(door, target.replacing(part, with: other), code, "\(part) → \(other)")
            }
        }
    }

    @Test("do not decide about a signature of headers that the URL does not contain")
    func otherHeaders() async throws {
        try await Self.run { door async throws in
            let answer = try await door.control(
                .post, "/presign",
                [
                    "as": "arn:aws:iam::000000000000:root", "method": "PUT", "target": "/box/a", "headers": ["Content-Type": "text/x"],
                ])
            let inspection = try await door.control(.post, "/inspect", ["text": answer["url"] ?? .null])
            #expect(inspection["valid"] == .null, "\(inspection)")
        }
    }

    @Test("does not record a use of the key")
    func noUse() async throws {
        try await DoorOfATest.run { door async throws in
            let signer = SignatureV4.Signer(
                accessKey: "ann-key", secret: "secret", sessionToken: nil, region: "us-east-1", service: "s3")
            let target = signer.presign(
                SignableRequest(method: "GET", target: "/box/a", authority: "localhost:4566"), expires: .seconds(60), at: .now())
            let inspection = try await door.control(.post, "/inspect", ["text": .string("http://localhost:4566" + target)])
            #expect(inspection["valid"] == true, "\(inspection)")
            guard case .user(_, let key)? = door.cloud.directory.keys["ann-key"] else {
                Issue.record("the key is missing")
                return
            }
            #expect(door.cloud.keyUses.lastUse(of: key) == nil)
        }
    }
}
