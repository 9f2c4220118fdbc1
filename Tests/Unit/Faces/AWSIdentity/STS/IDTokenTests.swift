import Cloud
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

private let notValidated =
    "The web identity token provided could not be validated. See the AssumeRoleWithWebIdentity documentation for requirements."
private let noKey =
    "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
private let notAToken = "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)"

@Suite("An ID token at AssumeRoleWithWebIdentity")
struct IDTokenTests {
    @Test("requires its claims", arguments: ["iss", "sub", "aud", "iat", "exp"])
    func missing(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims([(name, nil)])))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == "Missing a required claim: \(name)")
        }
    }

    @Test("is refused for invalid claims with the service's messages", arguments: WrongClaims.all)
    func wrong(_ example: WrongClaims) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims(example.changes)))
            #expect(answer.status == example.status)
            #expect(answer.code == example.code)
            #expect(answer.message == example.message)
            #expect(answer["Type"] == (example.status < 500 ? "Sender" : "Receiver"))
        }
    }

    @Test("can express its claims in several forms", arguments: RightClaims.all)
    func right(_ example: RightClaims) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims(example.changes)))
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["Audience"] == example.audience)
            #expect(answer["SubjectFromWebIdentityToken"] == example.subject)
        }
    }

    @Test("that has expired is refused with its times and the tolerance")
    func expired() async throws {
        try await STSSandbox.run { sts async throws in
            _ = try await sts.cloud.signingKey(for: "company")
            let before = sts.cloud.clock.now.seconds
            let expiry = before - 301
            let answer = try await sts.assume(
                "company", sts.signed(sts.claims([("exp", .integer(expiry)), ("iat", .integer(expiry - 60))])))
            let after = sts.cloud.clock.now.seconds
            #expect(answer.status == 400)
            #expect(answer.code == "ExpiredTokenException")
            let texts = (before...after).map {
                "Token expired: current date/time \($0 - 300) must be before the expiration date/time \(expiry)"
            }
            #expect(texts.contains(answer.message ?? ""), "\(answer.message ?? "")")
        }
    }

    @Test(
        "is accepted up to five minutes late or early, and not an hour",
        arguments: [
            ("exp", -240, true), ("exp", -3600, false), ("iat", 290, true), ("iat", 3600, false), ("nbf", 290, true), ("nbf", 3600, false),
        ])
    func tolerance(name: String, offset: Int64, isAccepted: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            // Generating the key is slow, so it happens before the time is read.
            _ = try await sts.cloud.signingKey(for: "company")
            let time = sts.cloud.clock.now.seconds + offset
            let answer = try await sts.assume("company", sts.signed(sts.claims([(name, .integer(time))])))
            #expect((answer.status == 200) == isAccepted)
            if name == "iat", !isAccepted { #expect(answer.message == "Token issued in the future: \(time)") }
            if name == "nbf", !isAccepted {
                #expect(answer.code == "InvalidIdentityToken")
                #expect(answer.message?.hasPrefix("Token not yet valid: current date/time ") == true)
                #expect(answer.message?.hasSuffix(" must be after or equal to the not-before date/time \(time)") == true)
            }
        }
    }

    @Test("ages with its sandbox, unless it is issued after the aging")
    func aging() async throws {
        try await STSSandbox.run { sts async throws in
            let old = try await sts.token()
            try await sts.cloud.age(by: .seconds(3600 + 20))
            #expect(try await sts.assume("company", old).status == 200)
            try await sts.cloud.age(by: .seconds(300))
            #expect(try await sts.assume("company", old).code == "ExpiredTokenException")
            #expect(try await sts.assume("company", sts.token()).status == 200)
        }
    }

    @Test(
        "is verified with the key that its kid names",
        arguments: [
            ["kid": "unknown"], ["kid": ""],
        ] as [JSONObject])
    func keys(header: JSONObject) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims(), header: header))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == noKey)
        }
    }

    @Test("without kid is refused")
    func noKeyName() async throws {
        try await STSSandbox.run { sts async throws in
            let parts = try await sts.signed(sts.claims()).split(separator: ".")
            let header = JSONValue.object(["alg": "RS256", "typ": "JWT"]).serializedBytes().base64url
            let answer = try await sts.assume("company", "\(header).\(parts[1]).\(parts[2])")
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == noKey)
        }
    }

    @Test(
        "must have a header that AWS accepts",
        arguments: [
            ["alg": "none"], ["alg": "HS256"], ["alg": "PS256"], ["alg": "EdDSA"], ["crit": ["exp"]], ["alg": 1],
        ] as [JSONObject])
    func algorithms(header: JSONObject) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims(), header: header))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == notAToken)
        }
    }

    @Test("that is no JWT is refused", arguments: ["garbage", "a.b.c", "....", "EAABwzLixnjYBA", "e30.e30.", "\u{e9}\u{e9}\u{e9}\u{e9}"])
    func garbage(token: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", token)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == notAToken)
        }
    }

    @Test("with another token's signature or claims, or without a signature, is refused")
    func forged() async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company")
            let forger = try SigningKey.generate(created: sts.cloud.clock.now).named(key.keyID)
            let forged = try await sts.assume("company", JSONWebToken.sign(claims: sts.claims(), key: forger))
            #expect(forged.code == "InvalidIdentityToken")
            #expect(forged.message == notValidated)
            let own = try await sts.signed(sts.claims()).split(separator: ".")
            let other = try await sts.signed(sts.claims([("sub", "employee-2")])).split(separator: ".")
            #expect(try await sts.assume("company", "\(own[0]).\(other[1]).\(own[2])").message == notValidated)
            #expect(try await sts.assume("company", "\(own[0]).\(own[1]).").message == notValidated)
            let elliptic = try SigningKey.generate(algorithm: .es256, created: sts.cloud.clock.now).named(key.keyID)
            #expect(try await sts.assume("company", JSONWebToken.sign(claims: sts.claims(), key: elliptic)).message == notValidated)
        }
    }

    @Test(
        "may name its issuer by any host name of this process",
        arguments: [
            "https://login.company.example", "http://localhost:4566/idp/company", "https://127.0.0.1/idp/company",
            "http://[::1]:4566/idp/company", "http://virga:4566/idp/company", "http://cloud.test/idp/company",
            "http://app.localhost:1/idp/company",
        ])
    func issuers(issuer: String) async throws {
        try await STSSandbox.run { sts async throws in
            var sts = sts
            sts.names = HostNames(aliases: ["cloud.test"])
            let answer = try await sts.assume("company", sts.signed(sts.claims([("iss", .string(issuer))])))
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["Provider"] == "arn:aws:iam::000000000000:oidc-provider/login.company.example")
        }
    }

    @Test(
        "of an issuer that the account does not have is refused",
        arguments: [
            "https://evil.example/idp/company", "http://127.evil.example/idp/company", "http://localhost:4566/idp/nobody",
            "http://localhost:4566/idp/facebook", "http://x@localhost/idp/company", "login.company.example",
            "https://login.company.example/", "http://login.company.example", "", "https://untrusted.example",
        ])
    func foreignIssuers(issuer: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims([("iss", .string(issuer))])))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message == notValidated)
        }
    }

    @Test("of a trusted external issuer needs the issuer's keys")
    func elsewhere() async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.signed(sts.claims([("iss", "https://elsewhere.example")])))
            #expect(answer.status == 400)
            #expect(answer.code == "IDPCommunicationError")
        }
    }

    @Test("is accepted only in an account that trusts its issuer")
    func otherAccount() async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("x", sts.token(), ["RoleArn": "arn:aws:iam::111111111111:role/company"])
            #expect(answer.message == notValidated)
        }
    }

    @Test(
        "of Google is accepted under both issuer names, with azp and aud as condition keys",
        arguments: [
            "https://accounts.google.com", "accounts.google.com",
        ])
    func google(issuer: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token("google", claims: ["iss": .string(issuer), "aud": "g-server", "azp": "g-web"])
            let answer = try await sts.assume("google", token)
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["Audience"] == "g-web")
            #expect(answer["Provider"] == "accounts.google.com")
            let other = try await sts.assume("google", sts.token("google", client: "g-other"))
            #expect(other.status == 403)
            #expect(other.code == "AccessDenied")
        }
    }

    @Test(
        "gives the trust policy amr, email and the original audience, and no other optional claim (K28)",
        arguments: [
            ("by-azp", ["azp": "cli"], false), ("by-oaud", ["azp": "cli"], true), ("by-oaud", ["aud": "cli"], false),
            ("by-amr", ["amr": ["pwd", "mfa"]], true), ("by-amr", ["amr": ["pwd"]], false), ("by-amr", [:], false),
            ("by-email", ["email": "a@company.example"], true), ("by-email", ["email": 5], false), ("anybody", [:], false),
            ("named-app1", [:], true),
        ] as [(String, JSONObject, Bool)])
    func trustKeys(role: String, claims: JSONObject, isAllowed: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume(role, sts.token(claims: claims))
            #expect((answer.status == 200) == isAllowed)
            if !isAllowed {
                #expect(answer.code == "AccessDenied")
                #expect(answer.message == "Not authorized to perform sts:AssumeRoleWithWebIdentity")
            }
        }
    }

    @Test("from before a reset names an unknown key")
    func reset() async throws {
        try await STSSandbox.run { sts async throws in
            let old = try await sts.token()
            #expect(try await sts.assume("company", old).status == 200)
            try await sts.cloud.reset()
            #expect(try await sts.assume("company", old).message == noKey)
            #expect(try await sts.assume("company", sts.token()).status == 200)
        }
    }
}

struct WrongClaims: Sendable, CustomTestStringConvertible {
    var changes: [(String, JSONValue?)]
    var message: String
    var code = "InvalidIdentityToken"
    var status = 400

    var testDescription: String { changes.map { "\($0.0)=\($0.1?.serialized() ?? "")" }.joined(separator: " ") }

    private static let fault = "Invalid timestamp in token claims."

    static let all = [
        WrongClaims(changes: [("aud", [])], message: "Claim is not allowed to be empty: aud"),
        WrongClaims(changes: [("sub", "")], message: "Claim is not allowed to be empty: sub"),
        WrongClaims(
            changes: [("aud", ["web", "cli"])],
            message: "Token audience contains more than one audience while authorized party is not present"),
        WrongClaims(changes: [("aud", "stranger")], message: notValidated),
        WrongClaims(changes: [("aud", ["stranger"])], message: notValidated),
        WrongClaims(changes: [("azp", "stranger")], message: notValidated),
        WrongClaims(changes: [("aud", ["web", "cli"]), ("azp", "stranger")], message: notValidated),
        WrongClaims(changes: [("aud", "WEB")], message: notValidated),
        WrongClaims(changes: [("aud", 1)], message: "Invalid value for claim: aud"),
        WrongClaims(changes: [("aud", ["web", 1])], message: "Invalid value for claim: aud"),
        WrongClaims(changes: [("azp", 1)], message: "Invalid value for claim: azp"),
        WrongClaims(changes: [("iss", 1)], message: "Invalid value for claim: iss"),
        WrongClaims(changes: [("sub", [])], message: "Invalid value for claim: sub"),
        WrongClaims(changes: [("sub", .null)], message: "Invalid value for claim: sub"),
        WrongClaims(changes: [("exp", .number(2e9 + 0.5))], message: fault),
        WrongClaims(changes: [("exp", .null)], message: fault),
        WrongClaims(changes: [("exp", "tomorrow")], message: fault),
        WrongClaims(changes: [("exp", .integer(.max))], message: fault),
        WrongClaims(changes: [("iat", .integer(.min))], message: fault),
        WrongClaims(changes: [("iat", "1.5")], message: fault),
        WrongClaims(changes: [("nbf", "")], message: fault),
        WrongClaims(changes: [("nbf", .integer(.max))], message: fault),
        WrongClaims(changes: [("iat", "4102444800"), ("exp", "4102448400")], message: "Token issued in the future: 4102444800"),
    ]
}

struct RightClaims: Sendable, CustomTestStringConvertible {
    var changes: [(String, JSONValue?)]
    var audience = "web"
    var subject = "employee-1"

    var testDescription: String { changes.map { "\($0.0)=\($0.1?.serialized() ?? "")" }.joined(separator: " ") }

    static let all = [
        RightClaims(changes: []),
        RightClaims(changes: [("aud", ["web"])]),
        RightClaims(changes: [("aud", ["web", "another"]), ("azp", "cli")], audience: "cli"),
        RightClaims(changes: [("aud", "stranger"), ("azp", "cli")], audience: "cli"),
        RightClaims(changes: [("exp", "4102444800")]),
        RightClaims(changes: [("iat", "1000000000")]),
        RightClaims(changes: [("sub", 123)], subject: "123"),
        RightClaims(changes: [("sub", "<&>\"\u{e9}")], subject: "<&>\"\u{e9}"),
    ]
}
