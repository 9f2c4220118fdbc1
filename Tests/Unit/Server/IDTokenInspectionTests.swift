import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import VirgaServer

/// The inspection of an ID token says what STS does with it.
@Suite("The inspection of ID tokens and STS")
struct IDTokenInspectionTests {
    private static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"

    private static func token(_ door: DoorOfATest, _ changes: JSONObject = [:]) async throws -> String {
        var order: JSONObject = ["provider": "company", "user": "alice"]
        for (name, value) in changes.members { order[name] = value }
        let answer = try await door.control(.post, "/tokens", .object(order))
        return try #require(answer["token"]?.stringValue, "\(answer)")
    }

    /// Expects that the inspection and `AssumeRoleWithWebIdentity` agree, and that the first failed check has the error of STS.
    /// - Returns: the code of STS; `nil` if it accepts the token.
    @discardableResult
    private static func expectAgreement(_ door: DoorOfATest, _ token: String, _ comment: Comment) async throws -> String? {
        let answer = try await door.send(
            .post, "/",
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn:aws:iam::000000000000:role/web"
                + "&RoleSessionName=test&WebIdentityToken=\(percentEncoded(token))",
            fields: [.contentType: "application/x-www-form-urlencoded"])
        let document = try XMLElement(parsing: answer.bytes, limits: XMLLimits(depth: 32, attributes: 64, elements: 2_000, size: 1 << 20))
        let error = document.child("Error", in: namespace)
        let code = error?.child("Code", in: namespace)?.text
        let inspection = try await door.control(.post, "/inspect", ["text": .string(token)])
        let failed = inspection["checks"]?.arrayValue?.first { $0["passed"] == false }
        #expect((answer.status == 200) == (code == nil), comment)
        #expect(inspection["valid"] == .bool(answer.status == 200), comment)
        #expect(failed?["error"]?["code"]?.stringValue == code, comment)
        #expect(failed?["error"]?["message"]?.stringValue == error?.child("Message", in: namespace)?.text, comment)
        return code
    }

    /// The codes of STS for the faults that it notices. It does not know the nonce and the access token, keeps no record, and the last of
    /// two claims with one name counts.
    private static let codes: [TokenFault: String?] = [
        .revoked: nil, .wrongNonce: nil, .wrongAccessTokenHash: nil, .duplicateClaims: nil, .expired: "ExpiredTokenException",
        .hugeClaims: "ValidationError",
    ]

    @Test("agree about every fault", arguments: TokenFault.allCases)
    func faults(fault: TokenFault) async throws {
        try await DoorOfATest.run { door async throws in
            let order: JSONObject = fault == .revoked ? [:] : ["fault": .string(fault.rawValue)]
            let code = try await Self.expectAgreement(door, Self.token(door, order), "\(fault)")
            #expect(code == Self.codes[fault, default: "InvalidIdentityToken"])
        }
    }

    @Test("agree about changed claims")
    func claims() async throws {
        try await DoorOfATest.run { door async throws in
            let values: [JSONValue] = [
                .null, "", "text", "4711", 0, -1, 4_711, 9_007_199_254_740_993, [], ["web"], ["web", "other"], [:], true,
            ]
            for name in ["iss", "sub", "aud", "azp", "iat", "exp", "nbf", "https://aws.amazon.com/tags", "https://aws.amazon.com/roles"] {
                for value in values {
                    let token = try await Self.token(door, ["claims": .object([name: value])])
                    try await Self.expectAgreement(door, token, "\(name): \(value.serialized())")
                }
                let token = try await Self.token(door, ["missingClaims": [.string(name)]])
                try await Self.expectAgreement(door, token, "without \(name)")
            }
        }
    }

    @Test("agree about changed characters")
    func changedCharacters() async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await Self.token(door)
            for (offset, place) in token.indices.enumerated() where offset % 7 == 0 {
                for other in ["A", "_", ".", "="] as [Character] where token[place] != other {
                    var changed = token
                    changed.replaceSubrange(place...place, with: [other])
                    let inspection = try await door.control(.post, "/inspect", ["text": .string(changed)])
                    #expect(inspection["valid"] == false, "\(offset) → \(other)")
                    // If the header cannot be read, the text is none that a service would be asked about.
                    guard inspection["decoded"]?["header"] != nil else { continue }
                    let code = try await Self.expectAgreement(door, changed, "\(offset) → \(other)")
                    #expect(code == "InvalidIdentityToken")
                }
            }
        }
    }

    @Test(
        "agree about ages",
        arguments: [(-240, nil), (240, nil), (480, "ExpiredTokenException")] as [(Int64, String?)])
    func ages(secondsAfterEnd: Int64, code: String?) async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await Self.token(door)
            let inspection = try await door.control(.post, "/inspect", ["text": .string(token)])
            let expiry = try #require(inspection["decoded"]?["claims"]?["exp"]?.integerValue)
            try await door.cloud.age(by: .seconds(expiry - door.cloud.clock.now.seconds + secondsAfterEnd))
            #expect(try await Self.expectAgreement(door, token, "\(secondsAfterEnd) s after its end") == code)
        }
    }

    @Test("agree about removed keys, clients and providers")
    func removed() async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await Self.token(door)
            #expect(try await Self.expectAgreement(door, token, "unchanged") == nil)
            let arn = "arn:aws:iam::000000000000:oidc-provider/login.company.example"
            var trust = try #require(door.cloud.directory.trusts[arn])
            trust.clientIDs = ["other"]
            try await door.cloud.edit { [trust] in $0.put(.trust(trust)) }
            #expect(try await Self.expectAgreement(door, token, "another client") == "InvalidIdentityToken")
            trust.clientIDs = ["web"]
            try await door.cloud.edit { [trust] in $0.put(.trust(trust)) }
            _ = try await door.cloud.rotateKeys(of: "company", overlap: .seconds(60))
            #expect(try await Self.expectAgreement(door, token, "a published key") == nil)
            _ = try await door.control(.post, "/clock", ["age": "PT2M"])
            #expect(try await Self.expectAgreement(door, token, "a key that is no longer published") == "InvalidIdentityToken")
        }
    }

    @Test("is decided by the application where nothing trusts the issuer, or an audience is expected")
    func application() async throws {
        try await DoorOfATest.run { door async throws in
            let token = try await Self.token(door)
            func inspect(_ expect: JSONValue = [:]) async throws -> JSONValue {
                try await door.control(.post, "/inspect", ["text": .string(token), "expect": expect])
            }
            let other = try await inspect(["audience": "other"])
            #expect(other["valid"] == false)
            #expect(other["checks"]?.arrayValue?.first { $0["passed"] == false }?["error"] == .null, "STS has no part in it")
            try await door.cloud.edit { $0.remove(.init(.trust, "arn:aws:iam::000000000000:oidc-provider/login.company.example")) }
            #expect(try await inspect()["valid"] == true)
            let forged = try await Self.token(door, ["fault": "otherKey"])
            #expect(try await door.control(.post, "/inspect", ["text": .string(forged)])["valid"] == false)
        }
    }
}
