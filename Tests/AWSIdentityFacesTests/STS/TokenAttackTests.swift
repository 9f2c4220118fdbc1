import Cloud
import Cryptography
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

/// The error messages of the service.
private enum Refusal {
    static let notValidated =
        "The web identity token provided could not be validated. See the AssumeRoleWithWebIdentity documentation for requirements."
    static let noKey =
        "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
    static let notAToken = "The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)"
}

extension STSSandbox {
    /// A token of alice with a fault, as the control API makes it.
    fileprivate func token(with fault: TokenFault, algorithm: SignatureAlgorithm? = nil) async throws -> String {
        var order = TokenOrder(provider: "company", user: "alice")
        order.fault = fault
        order.algorithm = algorithm
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: "http://localhost:4566").token
    }

    fileprivate func expectRefusal(_ token: String, _ message: String, _ comment: Comment? = nil) async throws {
        let answer = try await assume("company", token)
        #expect(answer.status == 400 && answer.code == "InvalidIdentityToken" && answer.message == message, comment)
        #expect(issuers.asked.isEmpty)
    }
}

@Suite("A forged token at AssumeRoleWithWebIdentity")
struct TokenAttackTests {
    @Test("with a subject that XML cannot represent is refused", arguments: ["\u{0}", "a\u{1}b", "\u{1F}", "\u{FFFE}"])
    func unspeakableSubject(subject: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.signed(sts.claims([("sub", .string(subject))]))
            try await sts.expectRefusal(token, "Invalid value for claim: sub")
            let spoken = try await sts.assume("company", sts.signed(sts.claims([("sub", "a\tb\u{E9}")])))
            #expect(spoken.status == 200 && spoken["SubjectFromWebIdentityToken"] == "a\tb\u{E9}")
        }
    }

    @Test("that has expired is refused", arguments: [SignatureAlgorithm.rs256, .es384])
    func expired(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(with: .expired, algorithm: algorithm))
            #expect(answer.status == 400 && answer.code == "ExpiredTokenException")
            #expect(answer.message?.hasPrefix("Token expired: current date/time ") == true)
        }
    }

    @Test(
        "that is not valid yet is refused",
        arguments: [(TokenFault.notYetValid, "Token not yet valid: "), (.issuedInTheFuture, "Token issued in")])
    func early(fault: TokenFault, beginning: String) async throws {
        try await STSSandbox.run { sts async throws in
            let answer = try await sts.assume("company", sts.token(with: fault))
            #expect(answer.status == 400 && answer.code == "InvalidIdentityToken" && answer.message?.hasPrefix(beginning) == true)
        }
    }

    @Test("for another audience is refused")
    func audience() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .wrongAudience), Refusal.notValidated)
        }
    }

    @Test("of an issuer with a longer name is refused")
    func issuer() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(
                sts.token(with: .wrongIssuer),
                "No OpenIDConnect provider found in your account for http://localhost:4566/idp/company/another")
        }
    }

    @Test("with an unknown kid or none is refused", arguments: [TokenFault.unknownKeyID, .missingKeyID])
    func keyID(fault: TokenFault) async throws {
        try await STSSandbox.run { sts async throws in try await sts.expectRefusal(sts.token(with: fault), Refusal.noKey) }
    }

    @Test("with the algorithm none is refused", arguments: ["none", "None", "NONE", "nOnE"])
    func unsigned(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            let good = try await sts.token(with: .algNone)
            try await sts.expectRefusal(good, Refusal.notAToken)
            let key = try await sts.cloud.signingKey(for: "company")
            let claims = sts.claims()
            let header: JSONObject = ["alg": .string(name), "kid": .string(key.keyID)]
            let unsigned = JSONWebToken.unsigned(header: header, claims: claims)
            try await sts.expectRefusal(unsigned, Refusal.notAToken)
            // With the signature that would be valid if the header named the right algorithm.
            try await sts.expectRefusal(JSONWebToken.sign(header: header, claims: claims, key: key), Refusal.notAToken)
        }
    }

    @Test("signed by HMAC with the public key as secret is refused", arguments: [SignatureAlgorithm.rs256, .es256])
    func publicKeyAsSecret(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .hs256WithPublicKey, algorithm: algorithm), Refusal.notAToken)
            let key = try await sts.cloud.signingKey(for: "company", algorithm: algorithm)
            let secrets = [
                Array(key.verificationKey.pem.utf8), try JSONValue.object(key.jsonWebKey.json).serializedBytes(), [], [0],
            ]
            for secret in secrets {
                for name in SignatureAlgorithm.sharedSecret {
                    let header: JSONObject = ["kid": .string(key.keyID)]
                    let forged = try JSONWebToken.sign(header: header, claims: sts.claims(), secret: secret, algorithm: name)
                    try await sts.expectRefusal(forged, Refusal.notAToken)
                }
            }
        }
    }

    @Test(
        "with another signature, or none, is refused",
        arguments: [TokenFault.flippedSignatureBit, .emptySignature, .otherKey], [SignatureAlgorithm.rs256, .rs512, .es256, .es512])
    func signature(fault: TokenFault, algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: fault, algorithm: algorithm), Refusal.notValidated)
        }
    }

    @Test(
        "with a key or the URL of a key in its header is refused, and the URL is not requested",
        arguments: [TokenFault.embeddedKey, .keySetURL, .embeddedCertificate, .certificateURL])
    func keyInHeader(fault: TokenFault) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: fault), Refusal.notValidated)
            // Without a known `kid` there is no key at all.
            let stranger = try SigningKey.generate(created: sts.cloud.clock.now)
            let header: JSONObject = [
                "jwk": .object(try stranger.jsonWebKey.json), "jku": "https://elsewhere.example/keys", "x5u": "https://elsewhere.example/x",
            ]
            try await sts.expectRefusal(JSONWebToken.sign(header: header, claims: sts.claims(), key: stranger), Refusal.noKey)
        }
    }

    @Test("is verified with the published key, whatever key the header contains")
    func ignoredHeader() async throws {
        try await STSSandbox.run { sts async throws in
            let stranger = try SigningKey.generate(created: sts.cloud.clock.now)
            let header: JSONObject = ["jwk": .object(try stranger.jsonWebKey.json), "jku": "https://elsewhere.example/keys", "b64": true]
            #expect(try await sts.assume("company", sts.signed(sts.claims(), header: header)).status == 200)
            #expect(sts.issuers.asked.isEmpty)
        }
    }

    @Test(
        "whose kid is a path, a query or other code is refused",
        arguments: [
            "../../../../dev/null", "/dev/null", "company/RS256", "..%2f..%2fkeys", "file:///etc/passwd",
            "https://elsewhere.example/key.pem",
            "' OR '1'='1", "x' UNION SELECT 'secret' --", "'; DROP TABLE settings; --", "%", "*", "\u{0}", "| id", "${jndi:ldap://x/y}",
            String(repeating: "k", count: 12_000),
        ])
    func keyName(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.signed(sts.claims(), header: ["kid": .string(name)])
            try await sts.expectRefusal(token, Refusal.noKey)
            // A genuine token is still accepted.
            #expect(try await sts.assume("company", sts.token()).status == 200)
        }
    }

    @Test("whose kid is not a string is refused", arguments: [1, ["k"], ["a": "b"], true, 1.5] as [JSONValue])
    func keyNameOfAnotherKind(name: JSONValue) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), header: ["kid": name]), Refusal.notAToken)
        }
    }

    @Test("that names the key of another issuer of this sandbox is refused")
    func otherIssuersKey() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), by: "untrusted"), Refusal.noKey)
            let google = try await sts.cloud.signingKey(for: "google")
            try await sts.expectRefusal(JSONWebToken.sign(claims: sts.claims(), key: google), Refusal.noKey)
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
                #expect(answer.status == 200 && answer[member] == value)
            }
        }
    }

    @Test("with a repeated member in its header is refused", arguments: [#""alg":"none""#, #""\u0061lg":"HS256""#])
    func duplicateHeader(more: String) async throws {
        try await STSSandbox.run { sts async throws in
            let parts = try await sts.token().split(separator: ".")
            let header = String(decoding: try #require([UInt8](base64url: parts[0])), as: UTF8.self).dropLast()
            let forged = Array("\(header),\(more)}".utf8).base64url
            try await sts.expectRefusal("\(forged).\(parts[1]).\(parts[2])", Refusal.notAToken)
        }
    }

    @Test("that contains a token is refused")
    func nested() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .nestedToken), Refusal.notAToken)
            let inner = try await sts.token()
            let key = try await sts.cloud.signingKey(for: "company")
            let quoted = try JSONWebToken.sign(header: ["cty": "JWT"], payload: Array("\"\(inner)\"".utf8), key: key)
            try await sts.expectRefusal(quoted, Refusal.notAToken)
        }
    }

    @Test("that is encrypted is refused")
    func encrypted() async throws {
        try await STSSandbox.run { sts async throws in
            let header = Array(#"{"alg":"dir","enc":"A256GCM"}"#.utf8).base64url
            try await sts.expectRefusal("\(header)..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", Refusal.notAToken)
        }
    }

    @Test("that is longer than the limit is refused before it is parsed")
    func tooLong() async throws {
        try await STSSandbox.run { sts async throws in
            let header: JSONObject = ["filling": .string(String(repeating: "x", count: 20_000))]
            for token in [try await sts.token(with: .hugeClaims), try await sts.signed(sts.claims(), header: header)] {
                let answer = try await sts.assume("company", token)
                #expect(answer.status == 400 && answer.code == "ValidationError")
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
                JSONWebToken.sign(payload: Array("\(claims),\"deep\":\(deep)}".utf8), key: key), Refusal.notAToken)
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
                try await sts.expectRefusal("\(parts[0]).\(plain).\(parts[2])", Refusal.notAToken)
            } else {
                try await sts.expectRefusal(token, Refusal.notAToken)
            }
        }
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .criticalExtension), Refusal.notAToken)
        }
    }

    @Test(
        "with another spelling of an algorithm is refused",
        arguments: ["rs256", "Rs256", "RS256 ", " RS256", "RS256\u{0}", "RS-256", "RS256,none", "RS1", "SHA256withRSA", ""])
    func algorithmName(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), header: ["alg": .string(name)]), Refusal.notAToken)
        }
    }

    @Test(
        "with a valid signature in an unsupported algorithm is refused",
        arguments: [SignatureAlgorithm.ps256, .ps384, .ps512, .edDSA])
    func otherAlgorithm(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company", algorithm: algorithm)
            try await sts.expectRefusal(JSONWebToken.sign(claims: sts.claims(), key: key), Refusal.notAToken)
            // The name of a supported algorithm does not help.
            let name = algorithm == .edDSA ? "ES256" : "RS256"
            let renamed = try JSONWebToken.sign(header: ["alg": .string(name)], claims: sts.claims(), key: key)
            try await sts.expectRefusal(renamed, Refusal.notValidated)
        }
    }

    @Test("that names a key of another type or curve is refused")
    func otherKind() async throws {
        try await STSSandbox.run { sts async throws in
            let cloud = sts.cloud
            let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .es384, .es512]
            for signer in algorithms {
                let key = try await cloud.signingKey(for: "company", algorithm: signer)
                #expect(try await sts.assume("company", JSONWebToken.sign(claims: sts.claims(), key: key)).status == 200)
                for other in algorithms where other != signer {
                    let named = try await cloud.signingKey(for: "company", algorithm: other)
                    let claims = sts.claims()
                    // First with the `kid` of the other key, then with its algorithm.
                    let misnamed = try JSONWebToken.sign(header: ["kid": .string(named.keyID)], claims: claims, key: key)
                    try await sts.expectRefusal(misnamed, Refusal.notValidated, "\(signer) \(other)")
                    let renamed = try JSONWebToken.sign(header: ["alg": .string(other.rawValue)], claims: claims, key: key)
                    try await sts.expectRefusal(renamed, Refusal.notValidated, "\(signer) \(other)")
                }
            }
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
                try await sts.expectRefusal("\(input).\(forgery.base64url)", Refusal.notValidated, "\(forgery.hex)")
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
            for spelling in spellings { try await sts.expectRefusal(spelling, Refusal.notAToken, "\(spelling)") }
            // More characters of the alphabet are another signature.
            try await sts.expectRefusal(good + "AAAA", Refusal.notValidated)
            #expect(try await sts.assume("company", good).status == 200)
        }
    }

    @Test(
        "whose payload is not the text of one object is refused",
        arguments: ["", " ", "null", "[]", #""claims""#, "{", "{}{}", "{} x", "\u{feff}{}", "{\"sub\":\"\\ud800\"}", "{'sub':'x'}"])
    func payload(text: String) async throws {
        try await STSSandbox.run { sts async throws in
            let key = try await sts.cloud.signingKey(for: "company")
            try await sts.expectRefusal(JSONWebToken.sign(payload: Array(text.utf8), key: key), Refusal.notAToken)
            let claims = JSONValue.object(sts.claims()).serializedBytes()
            for more in [[0xFF], [0], Array(text.utf8)] where !more.isEmpty && more != [0x20] {
                try await sts.expectRefusal(JSONWebToken.sign(payload: claims + more, key: key), Refusal.notAToken)
            }
        }
    }

    @Test("is accepted after a key rotation for the overlap and no longer")
    func retiredKey() async throws {
        try await STSSandbox.run { sts async throws in
            let old = try await sts.token()
            _ = try await sts.cloud.rotateKeys(of: "company", overlap: .seconds(600))
            let new = try await sts.token()
            #expect(try JSONWebToken(parsing: old).keyID != JSONWebToken(parsing: new).keyID)
            for token in [old, new] { #expect(try await sts.assume("company", token).status == 200) }
            try await sts.cloud.age(by: .seconds(601))
            try await sts.expectRefusal(old, Refusal.noKey)
            #expect(try await sts.assume("company", new).status == 200)
            _ = try await sts.cloud.rotateKeys(of: "company", overlap: .zero)
            try await sts.expectRefusal(new, Refusal.noKey)
        }
    }
}
