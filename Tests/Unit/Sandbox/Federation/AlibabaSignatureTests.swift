import Directory
import HTTPTypes
import Policy
import RequestSigning
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("A signature of Alibaba Cloud")
struct AlibabaSignatureTests {
    private static let account = "1234567890123456"
    private static let key = OSSResource(bucket: "box", key: "k")

    /// A sandbox with the account, a user with two keys, one of them disabled, and a role.
    private func withAccount(_ body: (Cloud, Authenticator) async throws -> Void) async throws {
        try await withSandbox { cloud async throws in
            var disabled = AccessKey(id: "LTAIOLD", secret: "old")
            disabled.isInactive = true
            let trust = try PolicyDocument(
                parsing:
                    #"{"Version":"1","Statement":[{"Effect":"Allow","Principal":{"RAM":["acs:ram::1234567890123456:root"]},"Action":"sts:AssumeRole"}]}"#,
                kind: .trust, dialect: .ram)
            try await cloud.edit { directory in
                directory.put(
                    .account(Account(id: Self.account, name: "harbour", rootKeys: [AccessKey(id: "LTAIROOT", secret: "root")])))
                directory.put(
                    .user(
                        User(
                            account: Self.account, name: "ann", path: "/", id: "200000000000000001",
                            accessKeys: [AccessKey(id: "LTAIANN", secret: "ann"), disabled])))
                directory.put(
                    .role(
                        Role(
                            account: Self.account, name: "app", path: "/", id: "300000000000000001",
                            trustPolicy: TrustPolicy(document: trust))))
            }
            try await body(cloud, Authenticator(cloud: cloud))
        }
    }

    private func signed(
        _ id: String, _ secret: String, token: String? = nil, _ method: OSSSignature.Signer.Method = .v4(region: "cn-hangzhou"),
        at time: Timestamp
    ) -> SignableRequest {
        var request = SignableRequest(method: "GET", target: "/box/k?acl", authority: "localhost")
        OSSSignature.Signer(accessKey: id, secret: secret, sessionToken: token, method: method)
            .sign(&request, resource: Self.key, at: time)
        return request
    }

    private func refusal(_ authenticator: Authenticator, _ request: SignableRequest) -> AuthenticationError? {
        do {
            guard try authenticator.authenticate(request, resource: Self.key) != nil else { return .missingExpires }
            return nil
        } catch {
            return error
        }
    }

    static let methods: [(OSSSignature.Signer.Method, SignatureVersion)] = [
        (.v1, .ossV1), (.v2, .ossV2), (.v4(region: "cn-hangzhou"), .ossV4),
    ]

    @Test("identifies the root user, a user or a session", arguments: methods)
    func callers(method: OSSSignature.Signer.Method, version: SignatureVersion) async throws {
        try await withAccount { cloud, authenticator async throws in
            let now = cloud.clock.wall
            let root = try #require(
                try authenticator.authenticate(signed("LTAIROOT", "root", method, at: now), resource: Self.key))
            #expect(root.caller.arn == "acs:ram::1234567890123456:root")
            #expect(root.accessKey == "LTAIROOT")
            #expect(root.version == version)
            #expect(root.place == .header)
            #expect(root.payload == nil)
            #expect(root.region == (version == .ossV4 ? "cn-hangzhou" : nil))
            let user = try authenticator.authenticate(signed("LTAIANN", "ann", method, at: now), resource: Self.key)
            #expect(user?.caller.arn == "acs:ram::1234567890123456:user/ann")
            let role = try #require(cloud.directory.role("app", in: Self.account))
            let (credentials, token) = try authenticator.sessions.mint(
                for: .role(arn: role.arn, id: role.role.id, sessionName: "s1"), duration: 3600)
            #expect(credentials.accessKeyID.hasPrefix("STS."))
            #expect(token.hasPrefix("CAIS"))
            let session = try authenticator.authenticate(
                signed(credentials.accessKeyID, credentials.secretAccessKey, token: token, method, at: now), resource: Self.key)
            #expect(session?.caller.arn == "acs:ram::1234567890123456:assumed-role/app/s1")
            #expect(try authenticator.authenticate(SignableRequest(method: "GET", target: "/", authority: "h"), resource: .init()) == nil)
        }
    }

    @Test("is refused for an unknown, disabled or AWS key, or a wrong secret")
    func unknown() async throws {
        try await withAccount { cloud, authenticator async throws in
            let now = cloud.clock.wall
            for id in ["nobody", "AKIAANN"] {
                guard case .unknownAccessKey(id) = refusal(authenticator, signed(id, "ann", at: now)) else { throw Unexpected() }
            }
            guard case .inactiveAccessKey("LTAIOLD") = refusal(authenticator, signed("LTAIOLD", "old", at: now)) else { throw Unexpected() }
            guard case .signatureMismatch(_, "LTAIANN") = refusal(authenticator, signed("LTAIANN", "x", at: now)) else {
                throw Unexpected()
            }
            var aws = SignableRequest(method: "GET", target: "/box/k", authority: "h")
            SignatureV4.Signer(accessKey: "LTAIANN", secret: "ann", region: "r", service: "s3").sign(&aws, payload: .unsigned, at: now)
            #expect(throws: AuthenticationError.self) { try authenticator.authenticate(aws, service: "s3") }
        }
    }

    @Test("requires the token of a temporary key until it expires")
    func tokens() async throws {
        try await withAccount { cloud, authenticator async throws in
            let now = cloud.clock.wall
            let role = try #require(cloud.directory.role("app", in: Self.account))
            let (credentials, token) = try authenticator.sessions.mint(
                for: .role(arn: role.arn, id: role.role.id, sessionName: "s1"), duration: 900)
            let (id, secret) = (credentials.accessKeyID, credentials.secretAccessKey)
            guard case .unknownAccessKey(id) = refusal(authenticator, signed(id, secret, at: now)) else { throw Unexpected() }
            guard case .invalidSessionToken("CAISx") = refusal(authenticator, signed(id, secret, token: "CAISx", at: now)) else {
                throw Unexpected()
            }
            guard case .sessionTokenOfAnotherKey(token) = refusal(authenticator, signed("LTAIANN", "ann", token: token, at: now)) else {
                throw Unexpected()
            }
            try await cloud.age(by: .seconds(901))
            guard case .expiredSessionToken(token) = refusal(authenticator, signed(id, secret, token: token, at: cloud.clock.wall)) else {
                throw Unexpected()
            }
        }
    }

    @Test("is accepted up to a quarter of an hour early or late", arguments: [(-890, true), (-910, false), (890, true), (910, false)])
    func skew(offset: Int, isAccepted: Bool) async throws {
        try await withAccount { cloud, authenticator async throws in
            for (method, _) in Self.methods {
                let time = cloud.clock.wall + .seconds(offset)
                let refusal = refusal(authenticator, signed("LTAIANN", "ann", method, at: time))
                if isAccepted {
                    #expect(refusal == nil)
                } else if case .requestTimeTooSkewed(_, let text, _) = refusal {
                    #expect(text == (method == .v4(region: "cn-hangzhou") ? time.basic : time.httpDate))
                } else {
                    Issue.record("\(String(describing: refusal))")
                }
            }
        }
    }

    @Test("of a presigned URL is accepted until its end; only Version 4 ages with the sandbox", arguments: methods)
    func presigning(method: OSSSignature.Signer.Method, version: SignatureVersion) async throws {
        try await withAccount { cloud, authenticator async throws in
            func presigned(at time: Timestamp) -> SignableRequest {
                let request = SignableRequest(method: "GET", target: "/box/k", authority: "h")
                let target = OSSSignature.Signer(accessKey: "LTAIANN", secret: "ann", method: method)
                    .presign(request, resource: Self.key, expires: .seconds(600), at: time)
                return SignableRequest(method: "GET", target: target, authority: "h")
            }
            let request = presigned(at: cloud.clock.wall)
            let authenticated = try #require(try authenticator.authenticate(request, resource: Self.key))
            #expect(authenticated.place == .query)
            #expect(authenticated.version == version)
            guard case .presignedExpired = refusal(authenticator, presigned(at: cloud.clock.wall - .seconds(660))) else {
                throw Unexpected()
            }
            try await cloud.age(by: .seconds(700))
            if version == .ossV4 {
                guard case .presignedExpired(_, _, .seconds(600)) = refusal(authenticator, request) else { throw Unexpected() }
            } else {
                #expect(refusal(authenticator, request) == nil)
            }
        }
    }

    @Test("of a form's policy identifies the caller")
    func forms() async throws {
        try await withAccount { cloud, authenticator async throws in
            var fields = ["policy": "cG9saWN5", "ossaccesskeyid": "LTAIANN"]
            fields["signature"] = OSSSignature.signature(ofText: "cG9saWN5", secret: "ann")
            let form = try #require(try FormSignature.ofOSS({ fields[$0] }))
            let authenticated = try authenticator.authenticate(form, service: "oss")
            #expect(authenticated.caller.arn == "acs:ram::1234567890123456:user/ann")
            #expect(authenticated.version == .ossV1)
            fields["ossaccesskeyid"] = "AKIAANN"
            let foreign = try #require(try FormSignature.ofOSS({ fields[$0] }))
            #expect(throws: AuthenticationError.self) { try authenticator.authenticate(foreign, service: "oss") }
        }
    }

    private func call(_ id: String, _ secret: String, at time: Timestamp, nonce: String, method: String = "GET") -> FormFields {
        var parameters: FormFields = [
            "Action": "GetCallerIdentity", "Version": "2015-04-01", "AccessKeyId": id, "SignatureMethod": "HMAC-SHA1",
            "SignatureVersion": "1.0", "SignatureNonce": nonce, "Timestamp": Timestamp(seconds: time.seconds).iso8601,
        ]
        RPCSignature.sign(&parameters, method: method, secret: secret)
        return parameters
    }

    @Test("of RPC in either version identifies the same user, once for each nonce")
    func calls() async throws {
        try await withAccount { cloud, authenticator async throws in
            let now = cloud.clock.wall
            func authenticate(_ parameters: FormFields) throws(AuthenticationError) -> Authenticated? {
                try authenticator.authenticate(
                    SignableRequest(method: "GET", target: "/?\(parameters.encoded)", authority: "h"), parameters: parameters, body: [],
                    service: "alibaba-sts")
            }
            let parameters = call("LTAIANN", "ann", at: now, nonce: "1")
            let authenticated = try #require(try authenticate(parameters))
            #expect(authenticated.caller.arn == "acs:ram::1234567890123456:user/ann")
            #expect(authenticated.version == .rpc)
            let used = #expect(throws: AuthenticationError.self) { try authenticate(parameters) }
            guard case .usedNonce("1") = used else { throw Unexpected() }
            // A bad signature does not use up its nonce.
            #expect(throws: AuthenticationError.self) { try authenticate(call("LTAIANN", "x", at: now, nonce: "2")) }
            #expect(try authenticate(call("LTAIANN", "ann", at: now, nonce: "2")) != nil)
            let late = #expect(throws: AuthenticationError.self) {
                try authenticate(call("LTAIANN", "ann", at: now - .seconds(960), nonce: "3"))
            }
            guard case .requestTimeTooSkewed = late else { throw Unexpected() }
            #expect(try authenticate(["Action": "AssumeRoleWithOIDC"]) == nil)

            var request = SignableRequest(
                method: "POST", target: "/", authority: "h", fields: [.contentType: "application/x-www-form-urlencoded"])
            let body = Array("a=b".utf8)
            ACS3Signature.sign(&request, body: body, accessKey: "LTAIROOT", secret: "root", sessionToken: nil, nonce: "1", at: now)
            // Each key has its own nonces.
            let newer = try #require(try authenticator.authenticate(request, parameters: [:], body: body, service: "alibaba-sts"))
            #expect(newer.caller.arn == "acs:ram::1234567890123456:root")
            #expect(newer.version == .acs3)
        }
    }

    @Test("makes a nonce unusable while its time would be accepted, up to a capacity")
    func nonces() {
        let nonces = UsedNonces(capacity: 2)
        let now = Timestamp(seconds: 1_000_000)
        #expect(nonces.insert("1", of: "k", at: now))
        #expect(!nonces.insert("1", of: "k", at: now))
        #expect(nonces.insert("1", of: "l", at: now))
        #expect(nonces.insert("2", of: "k", at: now))
        #expect(!nonces.insert("1", of: "k", at: now))
        // Both generations are full, so the older one is dropped.
        #expect(nonces.insert("3", of: "k", at: now))
        #expect(nonces.insert("4", of: "k", at: now))
        #expect(nonces.insert("1", of: "k", at: now))
        let roomy = UsedNonces()
        #expect(roomy.insert("1", of: "k", at: now))
        #expect(!roomy.insert("1", of: "k", at: now + .seconds(1800)))
        #expect(roomy.insert("2", of: "k", at: now + .seconds(1801)))
        #expect(!roomy.insert("1", of: "k", at: now + .seconds(1802)))
        #expect(roomy.insert("3", of: "k", at: now + .seconds(3700)))
        #expect(roomy.insert("1", of: "k", at: now + .seconds(3701)))
    }

    private struct Unexpected: Error {}
}
