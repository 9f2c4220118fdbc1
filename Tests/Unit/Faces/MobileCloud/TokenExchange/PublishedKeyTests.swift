import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("Keys that issuers publish")
struct PublishedKeyTests {
    private static func issuer(_ jwks: String) -> String { "virtualUserEnabled: true, jwks: {\(jwks)}" }

    private static let noKey = "invalid_grant: No matching public key found for issuer https://issuer.example. "

    @Test("are found by the discovery document, fetched as configured (R76, R78, R83-R86)")
    func discovery() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.map(\.url) == [ForeignIssuer.discovery, ForeignIssuer.keySet])
            for request in issuer.asked {
                #expect(request.method == .get)
                #expect(request.connectTimeout == .seconds(30))
                #expect(request.readTimeout == .seconds(60))
                #expect(request.timeout == .seconds(90))
                #expect(request.tlsVersions == .tls11 ... .tls12)
                #expect(request.headers[.authorization] == nil)
            }
            // The keys are cached.
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.count == 2)
        }
        let members =
            "discoveryUri: '\(ForeignIssuer.discovery)', connectTimeout: 3, readTimeout: 4, tlsVersions: ['TLSv1.2'], "
            + "authorizationHeader: 'Basic dGVzdA=='"
        try await MobileSandbox.runWithIssuer(Self.issuer(members)) { mobile, issuer async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.count == 2)
            for request in issuer.asked {
                #expect(request.connectTimeout == .seconds(3))
                #expect(request.readTimeout == .seconds(4))
                #expect(request.tlsVersions == .tls12 ... .tls12)
                #expect(request.headers[.authorization] == "Basic dGVzdA==")
            }
        }
    }

    @Test(
        "are fetched with the configured authorization from the configured origin only",
        arguments: [
            ("https://issuer.example/other/keys", true), ("https://issuer.example:443/keys", true), ("https://ISSUER.example/keys", true),
            ("https://keys.example/keys", false), ("https://issuer.example:8443/keys", false), ("http://issuer.example/keys", false),
            ("http://issuer.example:443/keys", false), ("https://issuer.example.evil.example/keys", false),
            ("https://issuer.example@evil.example/keys", false), ("https://issuer.example;@evil.example/keys", false),
        ])
    func authorization(keys: String, isSent: Bool) async throws {
        let members = "discoveryUri: '\(ForeignIssuer.discovery)', allowHttp: true, authorizationHeader: 'Basic dGVzdA=='"
        try await MobileSandbox.runWithIssuer(Self.issuer(members)) { mobile, issuer async throws in
            issuer.put(["jwks_uri": .string(keys)], at: ForeignIssuer.discovery)
            try issuer.publish([ForeignIssuer.key], at: keys)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.map(\.url) == [ForeignIssuer.discovery, keys])
            #expect(issuer.asked.map { $0.headers[.authorization] } == ["Basic dGVzdA==", isSent ? "Basic dGVzdA==" : nil])
        }
    }

    @Test("are found at jwksUri, with a discovery document and without (R77, R79)")
    func keySet() async throws {
        for members in ["", "discoveryUri: '\(ForeignIssuer.discovery)', "] {
            let other = "https://keys.example/other"
            try await MobileSandbox.runWithIssuer(Self.issuer(members + "jwksUri: '\(other)'")) { mobile, issuer async throws in
                // On a slow machine the reload interval could pass otherwise.
                try await mobile.cloud.change(clock: .freeze(at: nil))
                try issuer.publish([ForeignIssuer.otherKey], at: other)
                #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey)).status == 200)
                #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 400)
                #expect(issuer.asked.map(\.url) == [other])
            }
        }
    }

    @Test("are fetched by HTTP only if that is allowed (R80)")
    func plainHTTP() async throws {
        let (discovery, keys) = ("http://issuer.example/discovery", "http://issuer.example/keys")
        for (flag, isAllowed) in [("", false), (", allowHttp: false", false), (", allowHttp: true", true)] {
            try await MobileSandbox.runWithIssuer(Self.issuer("discoveryUri: '\(discovery)'\(flag)")) { mobile, issuer async throws in
                issuer.put(["jwks_uri": .string(keys)], at: discovery)
                try issuer.publish([ForeignIssuer.key], at: keys)
                let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
                #expect(answer.status == (isAllowed ? 200 : 400))
                if !isAllowed {
                    #expect(answer.refusal == Self.noKey + "\(discovery) is not HTTPS. Set allowHttp to permit it.")
                    #expect(issuer.asked.isEmpty)
                }
            }
        }
        // A document fetched by HTTPS must not lead to plain HTTP either.
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            issuer.put(["jwks_uri": .string(keys)], at: ForeignIssuer.discovery)
            try issuer.publish([ForeignIssuer.key], at: keys)
            #expect(
                try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).refusal
                    == Self.noKey + "\(keys) is not HTTPS. Set allowHttp to permit it.")
        }
    }

    @Test("cannot be fetched if no version of TLS remains (R85)")
    func noTLS() async throws {
        let members = "discoveryUri: '\(ForeignIssuer.discovery)', tlsVersions: ['SSLv3', 'SSL']"
        try await MobileSandbox.runWithIssuer(Self.issuer(members)) { mobile, issuer async throws in
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud))
            #expect(answer.refusal == Self.noKey + "None of the issuer's tlsVersions is supported any more.")
            #expect(issuer.asked.isEmpty)
        }
    }

    @Test("are missing if the issuer does not answer, or answers something else; the next token tries again (R76, R78)")
    func failures() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            let exchange = { @Sendable () async throws in try await mobile.exchange(ForeignIssuer.token(mobile.cloud)) }
            issuer.put(nil, at: ForeignIssuer.discovery)
            #expect(try await exchange().refusal == Self.noKey + "\(ForeignIssuer.discovery) did not answer.")
            issuer.put(["jwks_uri": .string(ForeignIssuer.keySet)], at: ForeignIssuer.discovery, status: 503)
            #expect(try await exchange().refusal == Self.noKey + "\(ForeignIssuer.discovery) answered with the status 503.")
            issuer.put(["issuer": "x"], at: ForeignIssuer.discovery)
            #expect(
                try await exchange().refusal == Self.noKey + "The document at \(ForeignIssuer.discovery) does not say where the keys are.")
            issuer.put(["jwks_uri": "keys"], at: ForeignIssuer.discovery)
            #expect(try await exchange().refusal == Self.noKey + "keys is not an HTTP URL.")
            issuer.put(["jwks_uri": .string(ForeignIssuer.keySet)], at: ForeignIssuer.discovery)
            issuer.put([], at: ForeignIssuer.keySet)
            #expect(try await exchange().refusal == Self.noKey + "The document at \(ForeignIssuer.keySet) is not a JSON Web Key Set.")
            issuer.put(["keys": []], at: ForeignIssuer.keySet)
            #expect(try await exchange().refusal == Self.noKey + "The token's key is not among those that the issuer publishes.")
        }
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            issuer.put(nil, at: ForeignIssuer.keySet)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 400)
            try issuer.publish([ForeignIssuer.key])
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
        }
    }

    @Test("are reloaded for an unknown key, but not before the issuer's interval (R81)")
    func rotation() async throws {
        let members = "discoveryUri: '\(ForeignIssuer.discovery)', minReloadInterval: 30"
        try await MobileSandbox.runWithIssuer(Self.issuer(members)) { mobile, issuer async throws in
            try await mobile.freeze()
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            try issuer.publish([ForeignIssuer.otherKey])
            let refused = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey))
            #expect(refused.status == 400)
            #expect(
                refused.refusal == Self.noKey
                    + "The issuer's keys were read less than 30 seconds ago, and the token's is not among them.")
            #expect(issuer.asked.count == 2)
            // The cached key is still accepted.
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            try await mobile.pass(29)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey)).status == 400)
            try await mobile.pass(2)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey)).status == 200)
            #expect(issuer.asked.count == 4)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 400)
        }
    }

    @Test("are reloaded for a token that names no key if none of them verifies the signature (R81)")
    func rotationWithoutNames() async throws {
        try await MobileSandbox.runWithIssuer(Self.issuer("jwksUri: '\(ForeignIssuer.keySet)'")) { mobile, issuer async throws in
            try await mobile.freeze()
            let nameless: JSONObject = ["kid": .null]
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, header: nameless)).status == 200)
            try issuer.publish([ForeignIssuer.otherKey, ForeignIssuer.curveKey])
            try await mobile.pass(60)
            let token = try ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey, header: nameless)
            #expect(try await mobile.exchange(token).status == 200)
            let curve = try ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.curveKey, header: nameless)
            #expect(try await mobile.exchange(curve).status == 200)
            #expect(issuer.asked.count == 2)
        }
    }

    @Test("are reloaded after an interval, and rejected if that fails (R82)")
    func age() async throws {
        let members = "discoveryUri: '\(ForeignIssuer.discovery)', maxReloadInterval: 100"
        try await MobileSandbox.runWithIssuer(Self.issuer(members)) { mobile, issuer async throws in
            try await mobile.freeze()
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            try issuer.publish([ForeignIssuer.otherKey])
            try await mobile.pass(100)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.count == 2)
            try await mobile.pass(2)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 400)
            #expect(issuer.asked.count == 4)
            issuer.put(nil, at: ForeignIssuer.discovery)
            try await mobile.pass(101)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey)).status == 400)
        }
    }

    @Test("are accepted by type: curves and RSA, and the algorithm of the key")
    func algorithms() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            try await mobile.freeze()
            try issuer.publish([ForeignIssuer.curveKey])
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.curveKey)).status == 200)
            try issuer.put(["keys": [.object(ForeignIssuer.key.get().jsonWebKey.json)]], at: ForeignIssuer.keySet)
            // The same key, declared for another algorithm.
            let pem = try ForeignIssuer.key.get().pem
            let other = Result { try SigningKey(pem: pem, algorithm: .ps512, created: Timestamp(seconds: 0)) }
            try await mobile.pass(60)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: other)).status == 400)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            for algorithm in [SignatureAlgorithm.edDSA, .ed25519] {
                let edwards = Result { try SigningKey.generate(algorithm: algorithm, created: Timestamp(seconds: 0)) }
                #expect(
                    try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: edwards)).refusal
                        == "invalid_grant: The token is signed with \(algorithm.rawValue), which is not accepted.")
            }
        }
    }

    @Test("are fetched once for concurrent callers")
    func simultaneous() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            let token = try ForeignIssuer.token(mobile.cloud)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await mobile.exchange(token).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(issuer.asked.count == 2)
        }
    }

    @Test("are dropped by a reset, and fetched anew for another configuration")
    func reset() async throws {
        try await MobileSandbox.runWithIssuer { mobile, issuer async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            try await mobile.cloud.reset()
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            #expect(issuer.asked.count == 4)
        }
    }

    @Test("of an issuer of this process are used for each spelling of its name (R48, R76)")
    func ownIssuer() async throws {
        let provider = "identityProviders: [{name: 'company', kind: 'openIDConnect', issuer: 'https://login.company.example', people: []}]"
        let configuration = "virtualUserEnabled: true, \(MobileSandbox.usualKeys)"
        try await MobileSandbox.runWithIssuer(configuration, others: "accounts: [], \(provider)") { mobile, issuer async throws in
            try await mobile.configure([
                "issuers": [
                    [
                        "issuerName": "https://login.company.example", "virtualUserEnabled": true,
                        "jwks": ["jwksUri": .string(ForeignIssuer.keySet)],
                    ]
                ]
            ])
            for name in ["https://login.company.example", "http://localhost:4566/idp/company", "http://virga:4566/realms/company"] {
                let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["iss": .string(name)]))
                #expect(answer.status == 200, "\(name): \(answer.text)")
                #expect(try await mobile.content(of: answer).virtual?.issuer == "https://login.company.example")
            }
            let elsewhere = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, ["iss": "https://x.example/idp/company"]))
            #expect(elsewhere.status == 400)
        }
    }
}

@Suite("Certificates of issuers")
struct IssuerCertificateTests {
    private static func pem(_ key: Result<SigningKey, any Error>, _ name: String = "issuer") throws -> String {
        let der = try key.get().selfSignedCertificate(named: name) ?? []
        return "-----BEGIN CERTIFICATE-----\\n\(der.base64)\\n-----END CERTIFICATE-----"
    }

    private static let issuer = "virtualUserEnabled: true, certificateSubjectNames: ['cn = issuer', 'CN=second']"

    private static func put(_ certificates: [TokenCertificate], in mobile: MobileSandbox) async throws {
        try await mobile.cloud.edit { directory in
            var environment = directory.mobile.environment
            environment.certificates = certificates
            directory.put(.mobile(.environment(environment)))
        }
    }

    @Test("verify its tokens, found by their subjects (R61, R62)")
    func verify() async throws {
        let certificates = try
            ", certificates: [{alias: 'a', pem: '\(Self.pem(ForeignIssuer.key))'}, {alias: 'b', pem: '\(Self.pem(ForeignIssuer.otherKey, "third"))'}]"
        try await MobileSandbox.runWithIssuer(Self.issuer, more: certificates) { mobile, issuer async throws in
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            // The `kid` of the token does not matter.
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, header: ["kid": "x5t"])).status == 200)
            let other = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey))
            #expect(other.refusal == "invalid_grant: The signature of the token from issuer https://issuer.example is wrong.")
            #expect(issuer.asked.isEmpty)
        }
    }

    @Test("are reloaded if one is missing, or after an interval (R20, R46, R47, X19)")
    func reload() async throws {
        let root = ", certificatesMinReloadInterval: 20, certificatesMaxReloadInterval: 60"
        try await MobileSandbox.runWithIssuer(Self.issuer, root: root) { mobile, _ async throws in
            try await mobile.freeze()
            let noKey =
                "invalid_grant: No matching public key found for issuer https://issuer.example. "
                + "No certificate of the environment has the subject cn = issuer or CN=second."
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).refusal == noKey)
            let certificate = try TokenCertificate(alias: "a", source: .pem(Self.pem(ForeignIssuer.key).replacing("\\n", with: "\n")))
            try await Self.put([certificate], in: mobile)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).refusal == noKey)
            try await mobile.pass(20)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            let second = try TokenCertificate(
                alias: "b", source: .pem(Self.pem(ForeignIssuer.otherKey, "second").replacing("\\n", with: "\n")))
            try await Self.put([certificate, second], in: mobile)
            // One of the two subjects is still missing.
            try await mobile.pass(20)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: ForeignIssuer.otherKey)).status == 200)
            // Present certificates are reloaded only after the interval.
            try await Self.put([], in: mobile)
            try await mobile.pass(60)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).status == 200)
            try await mobile.pass(2)
            #expect(try await mobile.exchange(ForeignIssuer.token(mobile.cloud)).refusal == noKey)
        }
    }

    @Test("are valid for their period, in real time (R62)", arguments: [(-4000, false), (-1, true), (2, false)])
    func lifetime(days: Int64, isTaken: Bool) async throws {
        try await MobileSandbox.runWithIssuer(Self.issuer) { mobile, _ async throws in
            // The certificate is valid for ten years, from the day before its creation.
            let made = try CertificateAuthority.make(named: "issuer", now: mobile.cloud.clock.wall.seconds + days * 86_400)
            let pem = try made.pem
            try await Self.put([TokenCertificate(alias: "a", source: .pem(made.certificate))], in: mobile)
            let key = Result { try SigningKey(pem: pem, algorithm: .es256, created: Timestamp(seconds: 0)) }
            let answer = try await mobile.exchange(ForeignIssuer.token(mobile.cloud, key: key))
            #expect(answer.status == (isTaken ? 200 : 400))
            if !isTaken {
                #expect(
                    answer.refusal == "invalid_grant: No matching public key found for issuer https://issuer.example. "
                        + "The certificate of the issuer has expired, or is not valid yet.")
            }
        }
    }
}
