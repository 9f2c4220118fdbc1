import Cloud
import Cryptography
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("A forged token at AssumeRoleWithWebIdentity")
struct TokenAttackTests {
    @Test("with a subject that XML cannot represent is refused", arguments: ["\u{0}", "a\u{1}b", "\u{1F}", "\u{FFFE}"])
    func unspeakableSubject(subject: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.signed(sts.claims([("sub", .string(subject))]))
            try await sts.expectRefusal(token, "Invalid value for claim: sub")
            let spoken = try await sts.assume("company", sts.signed(sts.claims([("sub", "a\tb\u{E9}")])))
            #expect(spoken.status == 200)
            #expect(spoken["SubjectFromWebIdentityToken"] == "a\tb\u{E9}")
        }
    }

    @Test("that has expired is refused", arguments: [SignatureAlgorithm.rs256, .es384])
    func expired(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(with: .expired, algorithm: algorithm))
            #expect(answer.status == 400)
            #expect(answer.code == "ExpiredTokenException")
            #expect(answer.message?.hasPrefix("Token expired: current date/time ") == true)
        }
    }

    @Test(
        "that is not valid yet is refused",
        arguments: [(TokenFault.notYetValid, "Token not yet valid: "), (.issuedInTheFuture, "Token issued in")])
    func early(fault: TokenFault, beginning: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(with: fault))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            #expect(answer.message?.hasPrefix(beginning) == true)
        }
    }

    @Test("for another audience is refused")
    func audience() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .wrongAudience), TokenRefusal.notValidated)
        }
    }

    @Test("of an issuer with a longer name is refused")
    func issuer() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .wrongIssuer), TokenRefusal.notValidated)
        }
    }

    @Test("with a repeated claim is read by the last one")
    func duplicateClaims() async throws {
        try await STSSandbox.run { sts async throws in
            let claims = JSONValue.object(sts.claims()).serialized().dropLast()
            let key = try await sts.cloud.signingKey(for: "company")
            // An escaped character in the second name makes it equal to the first.
            for (more, member, value) in [
                (#""aud":"cli""#, "Audience", "cli"), (#""s\u0075b":"employee-2""#, "SubjectFromWebIdentityToken", "employee-2"),
            ] {
                let token = try JSONWebToken.sign(payload: Array("\(claims),\(more)}".utf8), key: key)
                let answer = try await sts.assume("company", token)
                #expect(answer.status == 200)
                #expect(answer[member] == value)
            }
        }
    }

    @Test("with a repeated member in its header is refused", arguments: [#""alg":"none""#, #""\u0061lg":"HS256""#])
    func duplicateHeader(more: String) async throws {
        try await STSSandbox.run { sts async throws in
            let parts = try await sts.token().split(separator: ".")
            let header = String(decoding: try #require([UInt8](base64url: parts[0])), as: UTF8.self).dropLast()
            let forged = Array("\(header),\(more)}".utf8).base64url
            try await sts.expectRefusal("\(forged).\(parts[1]).\(parts[2])", TokenRefusal.notAToken)
        }
    }

    @Test("that contains a token is refused")
    func nested() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .nestedToken), TokenRefusal.notAToken)
            let inner = try await sts.token()
            let key = try await sts.cloud.signingKey(for: "company")
            let quoted = try JSONWebToken.sign(header: ["cty": "JWT"], payload: Array("\"\(inner)\"".utf8), key: key)
            try await sts.expectRefusal(quoted, TokenRefusal.notAToken)
        }
    }

    @Test("that is encrypted is refused")
    func encrypted() async throws {
        try await STSSandbox.run { sts async throws in
            let header = Array(#"{"alg":"dir","enc":"A256GCM"}"#.utf8).base64url
            try await sts.expectRefusal("\(header)..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", TokenRefusal.notAToken)
        }
    }

    @Test("that is longer than the limit is refused before it is parsed")
    func tooLong() async throws {
        try await STSSandbox.run { sts async throws in
            let header: JSONObject = ["filling": .string(String(repeating: "x", count: 20_000))]
            for token in [try await sts.token(with: .hugeClaims), try await sts.signed(sts.claims(), header: header)] {
                let answer = try await sts.assume("company", token)
                #expect(answer.status == 400)
                #expect(answer.code == "ValidationError")
                #expect(answer.message?.hasSuffix("Member must have length less than or equal to 20000") == true)
            }
        }
    }

    @Test("with deeply nested claims is refused at low cost")
    func deep() async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company")
            let depth = 7000
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let claims = JSONValue.object(sts.claims()).serialized().dropLast()
            try await sts.expectRefusal(
                JSONWebToken.sign(payload: Array("\(claims),\"deep\":\(deep)}".utf8), key: key), TokenRefusal.notAToken)
        }
    }

    @Test(
        "with critical extensions is refused",
        arguments: [
            ["crit": ["b64"], "b64": false], ["crit": ["exp"], "exp": 1], ["crit": []], ["crit": "b64"], ["crit": .null, "b64": false],
        ] as [JSONObject])
    func extensions(header: JSONObject) async throws {
        try await STSSandbox.run { sts async throws in
            // A null removes a member. So the last header has only `b64`, which has no effect unless it is critical (RFC 7797 section 6):
            // the payload is read as base64url.
            let token = try await sts.signed(sts.claims(), header: header)
            if header["crit"] == .null {
                #expect(try await sts.assume("company", token).status == 200)
                let parts = token.split(separator: ".")
                let plain = JSONValue.object(sts.claims()).serialized()
                try await sts.expectRefusal("\(parts[0]).\(plain).\(parts[2])", TokenRefusal.notAToken)
            } else {
                try await sts.expectRefusal(token, TokenRefusal.notAToken)
            }
        }
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .criticalExtension), TokenRefusal.notAToken)
        }
    }

    @Test(
        "with another spelling of an algorithm is refused",
        arguments: ["rs256", "Rs256", "RS256 ", " RS256", "RS256\u{0}", "RS-256", "RS256,none", "RS1", "SHA256withRSA", ""])
    func algorithmName(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), header: ["alg": .string(name)]), TokenRefusal.notAToken)
        }
    }

    @Test(
        "with a valid signature in an unsupported algorithm is refused",
        arguments: [SignatureAlgorithm.ps256, .ps384, .ps512, .edDSA, .ed25519])
    func otherAlgorithm(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company", algorithm: algorithm)
            try await sts.expectRefusal(JSONWebToken.sign(claims: sts.claims(), key: key), TokenRefusal.notAToken)
            // The name of a supported algorithm does not help.
            let name = SignatureAlgorithm.edwards.contains(algorithm) ? "ES256" : "RS256"
            let renamed = try JSONWebToken.sign(header: ["alg": .string(name)], claims: sts.claims(), key: key)
            try await sts.expectRefusal(renamed, TokenRefusal.notValidated)
        }
    }

    @Test("with an ECDSA signature that is not two numbers in range is refused")
    func curveSignature() async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company", algorithm: .es256)
            let text = try JSONWebToken.sign(claims: sts.claims(), key: key)
            let raw = try JSONWebToken(parsing: text).signature
            let input = text.prefix(upTo: try #require(text.lastIndex(of: ".")))
            let zero = [UInt8](repeating: 0, count: 32)
            let order = try #require([UInt8](hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
            let (r, s) = (Array(raw[..<32]), Array(raw[32...]))
            let one: [UInt8] = Array(zero.dropLast()) + [1]
            // The same signature in DER, which other protocols use.
            let der: [UInt8] = [0x30, 70, 0x02, 33, 0] + r + [0x02, 33, 0] + s
            let forgeries: [[UInt8]] = [
                zero + zero, zero + s, r + zero, order + order, one + one, r + order, order + s, der, r, s + r, zero + raw, [0] + raw,
                [0] + r + [0] + s, raw + [0], Array(raw.dropLast()),
            ]
            for forgery in forgeries {
                try await sts.expectRefusal("\(input).\(forgery.base64url)", TokenRefusal.notValidated, "\(forgery.hex)")
            }
            #expect(try await sts.assume("company", text).status == 200)
        }
    }

    @Test("with a lenient base64url spelling is refused")
    func looseSpelling() async throws {
        try await STSSandbox.run { sts async throws in
            let good = try await sts.token()
            let parts = good.split(separator: ".").map(String.init)
            let (header, claims, signature) = (parts[0], parts[1], parts[2])
            let last = try #require(signature.last)
            // The last character of a 2048-bit signature has four unused bits: sixteen characters decode alike, and only one is valid.
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            let place = try #require(alphabet.firstIndex(of: last))
            let loose = "\(signature.dropLast())\(alphabet[place + 1])"
            let spellings: [String] = [
                good + "=", good + "==", good + "\n", good + " ", " " + good, "\(header)=.\(claims).\(signature)",
                "\(header).\(claims)=.\(signature)", "\(header). \(claims).\(signature)", "\(header).\(claims)\r\n.\(signature)",
                good + ".", good + ".AAAA", good + "." + good, "." + good, "\(header)..\(claims).\(signature)", "\(header).\(claims)",
                "\(header).\(claims).\(loose)", "Bearer " + good, "\"\(good)\"", good + "\u{0}",
                #"{"payload":"\#(claims)","protected":"\#(header)","signature":"\#(signature)"}"#,
            ]
            for spelling in spellings { try await sts.expectRefusal(spelling, TokenRefusal.notAToken, "\(spelling)") }
            // More characters of the alphabet are another signature.
            try await sts.expectRefusal(good + "AAAA", TokenRefusal.notValidated)
            #expect(try await sts.assume("company", good).status == 200)
        }
    }

    @Test(
        "whose payload is not the text of one object is refused",
        arguments: ["", " ", "null", "[]", #""claims""#, "{", "{}{}", "{} x", "\u{feff}{}", "{\"sub\":\"\\ud800\"}", "{'sub':'x'}"])
    func payload(text: String) async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company")
            try await sts.expectRefusal(JSONWebToken.sign(payload: Array(text.utf8), key: key), TokenRefusal.notAToken)
            let claims = JSONValue.object(sts.claims()).serializedBytes()
            for more in [[0xFF], [0], Array(text.utf8)] where !more.isEmpty && more != [0x20] {
                try await sts.expectRefusal(JSONWebToken.sign(payload: claims + more, key: key), TokenRefusal.notAToken)
            }
        }
    }
}
