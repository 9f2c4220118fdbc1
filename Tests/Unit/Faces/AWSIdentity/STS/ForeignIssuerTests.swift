import Cloud
import Directory
import Federation
import Policy
import Testing
import WireFormats

@testable import AWSIdentityFaces
@testable import Tokens

@Suite("An external identity provider")
struct ForeignIssuerTests {
    private static let issuer = "https://elsewhere.example"
    private static let noKey =
        "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
    private static let unreachable =
        "The request could not be fulfilled because the identity provider (IDP) that was asked to verify the incoming identity token could not be reached."

    /// Runs a test in a sandbox that trusts the issuer for the client `web`, with a role that trusts the issuer.
    private func run(over issuer: String = Self.issuer, _ test: (STSSandbox) async throws -> Void) async throws {
        try await STSSandbox.run(issuersOverHTTP: issuer.hasPrefix("http:")) { sts async throws in
            try await sts.cloud.edit { directory in
                let trust = OpenIDConnectTrust(account: STSSandbox.account, url: issuer, clientIDs: ["web"])
                directory.put(.trust(trust))
                var role = try #require(directory.role("company", in: STSSandbox.account)?.role)
                role.trustPolicy = TrustPolicy(
                    document: try .init(
                        parsing: """
                            {"Statement": {"Effect": "Allow", "Principal": {"Federated": "\(trust.arn)"}, "Action": "sts:*",
                             "Condition": {"StringEquals": {"\(trust.hostAndPath):sub": "person-1"}}}}
                            """, kind: .trust))
                directory.put(.role(role))
            }
            try await test(sts)
        }
    }

    private func token(
        _ key: SigningKey, for sts: STSSandbox, issuer: String = Self.issuer, header: JSONObject = ["typ": "JWT"]
    ) throws -> String {
        try JSONWebToken.sign(
            header: header, claims: sts.claims([("iss", .string(issuer)), ("sub", "person-1")]), key: key)
    }

    /// A token without a `kid`.
    private func nameless(_ key: SigningKey, for sts: STSSandbox) throws -> String {
        let claims = sts.claims([("iss", .string(Self.issuer)), ("sub", "person-1")])
        let text = [["alg": .string(key.algorithm.rawValue)], claims].map { JSONValue.object($0).serializedBytes().base64url }
            .joined(separator: ".")
        return try "\(text).\(key.sign(Array(text.utf8)).base64url)"
    }

    private func expect(_ answer: STSAnswer, _ status: Int, _ code: String?, _ message: String? = nil) {
        #expect(answer.status == status, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        #expect(answer.code == code, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        if let message { #expect(answer.message == message) }
    }

    @Test("serves its keys once, in any algorithm", arguments: [SignatureAlgorithm.rs256, .es256, .es384, .es512])
    func asked(algorithm: SignatureAlgorithm) async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: algorithm, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer)
            for _ in 0..<3 {
                let answer = try await sts.assume("company", token(key, for: sts))
                expect(answer, 200, nil)
                #expect(answer["Provider"] == "arn:aws:iam::000000000000:oidc-provider/elsewhere.example")
            }
            #expect(sts.issuers.asked == [Self.issuer + "/.well-known/openid-configuration", Self.issuer + "/keys"])
        }
    }

    @Test("is requested again for an unknown key, but not again soon after")
    func rotation() async throws {
        try await run { sts async throws in
            let keys = try (0..<3).map { _ in try SigningKey.generate(algorithm: .es256, created: .fill) }
            sts.issuers.publish([try keys[0].jsonWebKey.json], of: Self.issuer)
            try await expect(sts.assume("company", token(keys[0], for: sts)), 200, nil)
            sts.issuers.publish([try keys[1].jsonWebKey.json], of: Self.issuer)
            try await expect(sts.assume("company", token(keys[1], for: sts)), 200, nil)
            #expect(sts.issuers.asked.count == 4)
            for _ in 0..<5 {
                try await expect(sts.assume("company", token(keys[2], for: sts)), 400, "InvalidIdentityToken", Self.noKey)
            }
            #expect(sts.issuers.asked.count == 4)
            // The previous key is no longer accepted.
            try await expect(sts.assume("company", token(keys[0], for: sts)), 400, "InvalidIdentityToken", Self.noKey)
        }
    }

    @Test(
        "is requested again when its cached keys have expired",
        arguments: [
            (nil, 100, 2), (nil, 301, 4), ("max-age=60", 61, 4), ("public, max-age=3600", 3000, 2), ("no-store", 0, 4), ("no-cache", 0, 4),
            ("max-age=99999999", 86_401, 4), ("max-age=-5", 0, 4), ("max-age=x", 100, 2),
        ] as [(String?, Int, Int)])
    func aging(cacheControl: String?, age: Int, questions: Int) async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer, cacheControl: cacheControl)
            try await expect(sts.assume("company", token(key, for: sts)), 200, nil)
            if age > 0 { try await sts.cloud.age(by: .seconds(age)) }
            try await expect(sts.assume("company", token(key, for: sts)), 200, nil)
            #expect(sts.issuers.asked.count == questions)
        }
    }

    @Test("that is unreachable can be retried at once")
    func unreachable() async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            let configuration = Self.issuer + "/.well-known/openid-configuration"
            let token = try token(key, for: sts)
            try await expect(sts.assume("company", token), 400, "IDPCommunicationError", Self.unreachable)
            for document in [
                FetchedDocument(status: 503, body: Array("{}".utf8)), FetchedDocument(status: 302, body: []),
                FetchedDocument(status: 200, body: Array("<html>".utf8)), FetchedDocument(status: 200, body: Array("[]".utf8)),
            ] {
                sts.issuers.put(document, at: configuration)
                try await expect(sts.assume("company", token), 400, "IDPCommunicationError", Self.unreachable)
            }
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer)
            sts.issuers.put(FetchedDocument(status: 500, body: []), at: Self.issuer + "/keys")
            try await expect(sts.assume("company", token), 400, "IDPCommunicationError", Self.unreachable)
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer)
            try await expect(sts.assume("company", token), 200, nil)
        }
    }

    @Test(
        "must publish the metadata that AWS requires",
        arguments: [
            ("issuer", .string("https://elsewhere.example/")), ("issuer", nil), ("jwks_uri", nil),
            ("jwks_uri", .string("http://elsewhere.example/keys")), ("jwks_uri", .string("file:///keys")),
            ("response_types_supported", nil),
            ("subject_types_supported", .array([])), ("id_token_signing_alg_values_supported", nil),
        ] as [(String, JSONValue?)])
    func metadata(name: String, value: JSONValue?) async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer, changing: { $0[name] = value })
            try await expect(sts.assume("company", token(key, for: sts)), 400, "InvalidIdentityToken", Self.noKey)
        }
    }

    @Test(
        "has keys in the forms that AWS accepts",
        arguments: [
            ("alg", .string("RS512"), true), ("use", .string("enc"), false), ("use", nil, true), ("key_ops", .array(["verify"]), false),
            ("kid", .string("other"), false), ("x", nil, false), ("x5c", .array(["AAAA"]), false), ("x5c", .array([]), false),
        ] as [(String, JSONValue?, Bool)])
    func members(name: String, value: JSONValue?, isTaken: Bool) async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            var json = try key.jsonWebKey.json
            json[name] = value
            sts.issuers.publish([json], of: Self.issuer)
            let answer = try await sts.assume("company", token(key, for: sts))
            if isTaken { expect(answer, 200, nil) } else { expect(answer, 400, "InvalidIdentityToken", Self.noKey) }
        }
    }

    @Test("has keys found by kid, the last of two with one kid, and the only key for a token without kid")
    func choice() async throws {
        try await run { sts async throws in
            let (one, other) = (
                try SigningKey.generate(algorithm: .es256, created: .fill).named("k"),
                try SigningKey.generate(algorithm: .es256, created: .fill).named("k")
            )
            sts.issuers.publish([try one.jsonWebKey.json, try other.jsonWebKey.json], of: Self.issuer, cacheControl: "no-store")
            try await expect(sts.assume("company", token(other, for: sts)), 200, nil)
            try await expect(sts.assume("company", token(one, for: sts)), 400, "InvalidIdentityToken")
            try await expect(sts.assume("company", token(other, for: sts, header: ["kid": ""])), 400, "InvalidIdentityToken", Self.noKey)
            let nameless = try self.nameless(one, for: sts)
            try await expect(sts.assume("company", nameless), 400, "InvalidIdentityToken")
            sts.issuers.publish([try one.jsonWebKey.json], of: Self.issuer, cacheControl: "no-store")
            try await expect(sts.assume("company", nameless), 200, nil)
            sts.issuers.publish(
                [try one.jsonWebKey.json, try other.named("l").jsonWebKey.json], of: Self.issuer, cacheControl: "no-store")
            try await expect(sts.assume("company", nameless), 400, "InvalidIdentityToken", Self.noKey)
            // A published key without a kid is not found, whatever the token names.
            var json = try one.jsonWebKey.json
            json["kid"] = nil
            sts.issuers.publish([json], of: Self.issuer, cacheControl: "no-store")
            try await expect(sts.assume("company", token(one, for: sts)), 400, "InvalidIdentityToken", Self.noKey)
            try await expect(sts.assume("company", nameless), 400, "InvalidIdentityToken", Self.noKey)
        }
    }

    @Test("has at most a hundred RSA keys; with more, none is accepted", arguments: [100, 101])
    func manyKeys(count: Int) async throws {
        try await run { sts async throws in
            let (rsa, ec) = (
                try SigningKey.generate(algorithm: .rs256, created: .fill), try SigningKey.generate(algorithm: .es256, created: .fill)
            )
            let keys = try (1..<count).map { try rsa.named("k\($0)").jsonWebKey.json } + [rsa.jsonWebKey.json, ec.jsonWebKey.json]
            sts.issuers.publish(keys, of: Self.issuer)
            let answer = try await sts.assume("company", token(rsa, for: sts))
            if count == 100 { expect(answer, 200, nil) } else { expect(answer, 400, "InvalidIdentityToken", Self.noKey) }
            try await expect(sts.assume("company", token(ec, for: sts)), 200, nil)
        }
    }

    @Test("is verified like one of this sandbox: signature, audience, trust policy")
    func checks() async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: Self.issuer)
            let notValidated =
                "The web identity token provided could not be validated. See the AssumeRoleWithWebIdentity documentation for requirements."
            let forged = try token(SigningKey.generate(algorithm: .es256, created: .fill).named(key.keyID), for: sts)
            try await expect(sts.assume("company", forged), 400, "InvalidIdentityToken", notValidated)
            func signed(_ changes: [(String, JSONValue?)]) throws -> String {
                try JSONWebToken.sign(
                    claims: sts.claims([("iss", .string(Self.issuer)), ("sub", "person-1")] + changes), key: key)
            }
            try await expect(sts.assume("company", signed([("aud", "cli")])), 400, "InvalidIdentityToken", notValidated)
            try await expect(sts.assume("company", signed([("sub", "person-2")])), 403, "AccessDenied")
            try await expect(sts.assume("company", signed([("exp", 1000)])), 400, "ExpiredTokenException")
            try await expect(
                sts.assume("company", signed([("iss", "https://nobody.example")])), 400, "InvalidIdentityToken", notValidated)
        }
    }

    @Test("is reached over HTTP and with a port if the sandbox allows it")
    func plain() async throws {
        let issuer = "http://localhost:8080/realms/one"
        try await run(over: issuer) { sts async throws in
            let key = try SigningKey.generate(algorithm: .rs256, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: issuer)
            let answer = try await sts.assume("company", token(key, for: sts, issuer: issuer))
            expect(answer, 200, nil)
            #expect(answer["Provider"] == "arn:aws:iam::000000000000:oidc-provider/localhost:8080/realms/one")
        }
    }

    @Test("is dropped from the cache at a reset")
    func reset() async throws {
        try await run { sts async throws in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: "https://elsewhere.example")
            try await expect(sts.assume("company", token(key, for: sts)), 200, nil)
            try await sts.cloud.reset()
            _ = try await sts.assume("company", token(key, for: sts))
            #expect(sts.issuers.asked.count == 4)
        }
    }

    @Test("cannot be the issuer of an account, which AWS refuses")
    func ownIssuer() async throws {
        let issuer = "https://a1.tokens.sts.global.api.aws"
        try await run(over: issuer) { sts async throws in
            let key = try SigningKey.generate(algorithm: .es384, created: .fill)
            sts.issuers.publish([try key.jsonWebKey.json], of: issuer)
            try await expect(sts.assume("company", token(key, for: sts, issuer: issuer)), 400, "InvalidIdentityToken")
            #expect(sts.issuers.asked.isEmpty)
        }
    }
}
