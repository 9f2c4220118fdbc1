import Calls
import Cloud
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("GetCallerIdentity")
struct GetCallerIdentityTests {
    private static let root = STSSandbox.Signature("test", "test")

    @Test("returns the root user, a user and a session")
    func callers() async throws {
        try await STSSandbox.run { sts async throws in
            let root = try await sts.callerIdentity(Self.root)
            #expect(root.status == 200)
            #expect(root.xml.name == "GetCallerIdentityResponse")
            #expect(root.xml.child("GetCallerIdentityResult")?.children.map(\.name) == ["Arn", "UserId", "Account"])
            #expect(root["Arn"] == "arn:aws:iam::000000000000:root")
            #expect(root["UserId"] == "000000000000")
            #expect(root["Account"] == "000000000000")
            let user = try await sts.callerIdentity(.init("AKIAANN", "ann"))
            #expect(user["Arn"] == "arn:aws:iam::000000000000:user/staff/ann")
            #expect(user["UserId"]?.hasPrefix("AIDA") == true)
            let assumed = try await sts.assume("app/long", sts.token())
            let session = try await sts.callerIdentity(assumed.credentials)
            #expect(session["Arn"] == "arn:aws:sts::000000000000:assumed-role/long/app1")
            #expect(session["UserId"] == assumed["AssumedRoleId"])
            #expect(session["Account"] == "000000000000")
            #expect(session.journal.caller == session["Arn"])
        }
    }

    @Test("accepts query, form or both, signed by header or presigned URL")
    func places() async throws {
        try await STSSandbox.run { sts async throws in
            let get = try await sts.send(.get, "/?Action=GetCallerIdentity&Version=2011-06-15", signedBy: Self.root)
            #expect(get.status == 200)
            let both = try await sts.send(.post, "/?Action=GetCallerIdentity", form: "Version=2011-06-15", signedBy: Self.root)
            #expect(both.status == 200)
            let url = Self.root.signer.presign(
                SignableRequest(method: "GET", target: "/?Action=GetCallerIdentity&Version=2011-06-15", authority: "localhost:4566"),
                expires: .seconds(60), at: sts.cloud.clock.now)
            #expect(try await sts.send(.get, url).status == 200)
        }
    }

    @Test(
        "refuses a web page that signs with a well-known key, in a header, a URL or the parameters",
        arguments: [
            [.origin: "https://evil.example"], [.origin: "null"], [.secFetchSite: "cross-site"], [.userAgent: "Mozilla/5.0"],
        ] as [HTTPFields])
    func pages(fields: HTTPFields) async throws {
        try await STSSandbox.run { sts async throws in
            let target = "/?Action=GetCallerIdentity&Version=2011-06-15"
            let url = Self.root.signer.presign(
                SignableRequest(method: "GET", target: target, authority: "localhost:4566"), expires: .seconds(60),
                at: sts.cloud.clock.now)
            for answer in [
                try await sts.send(.get, target, signedBy: Self.root) { $0.append(contentsOf: fields) },
                try await sts.send(.post, target, signedBy: Self.root) { $0.append(contentsOf: fields) },
                try await sts.send(.get, url) { $0.append(contentsOf: fields) },
            ] {
                #expect(answer.status == 403)
                #expect(answer.code == "AccessDenied")
                #expect(answer.message?.contains("--allow-foreign-pages") == true)
            }
            // Temporary keys and tokens are not well known.
            let assumed = try await sts.assume("app/long", sts.token())
            let session = try await sts.send(.get, target, signedBy: assumed.credentials) { $0.append(contentsOf: fields) }
            #expect(session.status == 200)
        }
    }

    @Test("refuses a caller that cannot be authenticated")
    func refusals() async throws {
        try await STSSandbox.run { sts async throws in
            func expect(_ answer: STSAnswer, _ status: Int, _ code: String, _ message: String? = nil) {
                #expect(answer.status == status, "\(answer.status) \(answer.code ?? "")")
                #expect(answer.code == code, "\(answer.status) \(answer.code ?? "")")
                if let message { #expect(answer.message == message) }
            }
            try await expect(sts.callerIdentity(nil), 403, "MissingAuthenticationToken", "Request is missing Authentication Token")
            let invalid = "The security token included in the request is invalid."
            try await expect(sts.callerIdentity(.init("AKIANOBODY", "x")), 403, "InvalidClientTokenId", invalid)
            let wrongSecret = try await sts.callerIdentity(.init("test", "wrong"))
            expect(wrongSecret, 403, "SignatureDoesNotMatch")
            #expect(wrongSecret.message?.contains("The Canonical String for this request should have been\n'POST\n/\n\n") == true)
            let scoped = try await sts.callerIdentity(.init("test", "test", service: "s3"))
            expect(scoped, 403, "SignatureDoesNotMatch", "Credential should be scoped to correct service: 'sts', not 's3'.")
            let now = sts.cloud.clock.now
            let late = try await sts.callerIdentity(.init("test", "test", at: now - .seconds(960)))
            expect(late, 403, "SignatureDoesNotMatch")
            #expect(late.message?.hasPrefix("Signature expired: \((now - .seconds(960)).basic) is now earlier than ") == true)
            let early = try await sts.callerIdentity(.init("test", "test", at: now + .seconds(960)))
            #expect(early.message?.hasPrefix("Signature not yet current: ") == true)
            let malformed = try await sts.send(.post, "/", form: "Action=GetCallerIdentity&Version=2011-06-15") {
                $0[.authorization] = "AWS4-HMAC-SHA256 Credential"
            }
            expect(malformed, 400, "IncompleteSignature")
            let altered = try await sts.send(.post, "/", form: "Action=GetCallerIdentity&Version=2011-06-15", signedBy: Self.root) {
                $0[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
            }
            expect(altered, 403, "SignatureDoesNotMatch")
        }
    }

    @Test(
        "must be signed for the region of the host, if the host is one of AWS",
        arguments: [
            ("sts.amazonaws.com", "us-east-1", true), ("sts.amazonaws.com", "eu-west-1", false),
            ("sts.eu-west-1.amazonaws.com", "eu-west-1", true), ("STS.eu-west-1.amazonaws.com:443", "us-east-1", false),
            ("sts-fips.us-west-2.amazonaws.com", "us-west-2", true), ("sts-fips.us-west-2.amazonaws.com", "us-east-1", false),
            ("sts.cn-north-1.amazonaws.com.cn", "cn-north-1", true), ("sts.cn-north-1.amazonaws.com.cn", "us-east-1", false),
            ("localhost:4566", "eu-west-1", true), ("sts.eu-west-1.localhost:4566", "us-east-1", true),
            ("sts.amazonaws.com.example", "eu-west-1", true), ("stsx.amazonaws.com", "eu-west-1", true),
        ])
    func region(authority: String, region: String, isTaken: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            let body = "Action=GetCallerIdentity&Version=2011-06-15"
            var signed = SignableRequest(method: "POST", target: "/", authority: authority)
            SignatureV4.Signer(accessKey: "test", secret: "test", region: region, service: "sts")
                .sign(&signed, payload: PayloadHash(of: Array(body.utf8)), at: sts.cloud.clock.now)
            let head = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/", headerFields: signed.fields)
            let call = Call(
                request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), peer: nil, isSecure: false,
                cloud: sts.cloud, names: sts.names)
            let response = await sts.face.respond(to: call, form: nil)
            let answer = try await STSAnswer(response, call.entry(status: Int(response.status.code)))
            #expect(answer.status == (isTaken ? 200 : 403))
            #expect(answer.code == (isTaken ? nil : "SignatureDoesNotMatch"))
            #expect(answer.message == (isTaken ? nil : "Credential should be scoped to a valid region. "))
        }
    }

    @Test("verifies the signature over the body, whatever payload hash is declared")
    func payload() async throws {
        try await STSSandbox.run { sts async throws in
            var fields = HTTPFields()
            _ = try await sts.send(.post, "/", form: "Action=GetCallerIdentity&Version=2011-06-15", signedBy: Self.root) { fields = $0 }
            let swapped = try await sts.send(.post, "/", form: "Version=2011-06-15&Action=GetCallerIdentity") { $0 = fields }
            #expect(swapped.status == 403)
            #expect(swapped.code == "SignatureDoesNotMatch")
        }
    }
}

@Suite("The credentials of a session")
struct SessionCredentialsTests {
    @Test("are refused with another session's token, key or secret")
    func mixtures() async throws {
        try await STSSandbox.run { sts async throws in
            let one = try #require(try await sts.assume("company", sts.token()).credentials).signer
            let other = try #require(try await sts.assume("company", sts.token()).credentials).signer
            let token = try #require(one.sessionToken)
            func status(_ id: String, _ secret: String, _ token: String?) async throws -> String {
                let answer = try await sts.callerIdentity(.init(id, secret, token: token))
                return answer.status == 200 ? "ok" : answer.code ?? ""
            }
            #expect(try await status(one.accessKey, one.secret, token) == "ok")
            #expect(try await status(one.accessKey, one.secret, nil) == "InvalidClientTokenId")
            #expect(try await status(one.accessKey, one.secret, other.sessionToken) == "InvalidClientTokenId")
            #expect(try await status(other.accessKey, one.secret, token) == "InvalidClientTokenId")
            #expect(try await status("test", "test", token) == "InvalidClientTokenId")
            #expect(try await status(one.accessKey, other.secret, token) == "SignatureDoesNotMatch")
            #expect(try await status(one.accessKey, one.secret, token + "A") == "InvalidClientTokenId")
            let middle = token.index(token.startIndex, offsetBy: token.count / 2)
            let altered = token[..<middle] + (token[middle] == "A" ? "B" : "A") + token[token.index(after: middle)...]
            #expect(try await status(one.accessKey, one.secret, String(altered)) == "InvalidClientTokenId")
        }
    }

    @Test("expire by the clock of their sandbox")
    func expiry() async throws {
        try await STSSandbox.run { sts async throws in
            let credentials = try await sts.assume("company", sts.token(), ["DurationSeconds": "900"]).credentials
            try await sts.cloud.age(by: .seconds(800))
            #expect(try await sts.callerIdentity(credentials).status == 200)
            try await sts.cloud.age(by: .seconds(100))
            let answer = try await sts.callerIdentity(credentials)
            #expect(answer.status == 403)
            #expect(answer.code == "ExpiredToken")
            #expect(answer.message == "The security token included in the request is expired")
        }
    }

    @Test("have an issue time and an MFA age in conditions that age")
    func conditions() async throws {
        let limit = (Timestamp.now() - .seconds(1800)).iso8601
        let seed = """
            {accounts: [{id: "000000000000",
              users: [{name: "ann", accessKeys: [{id: "AKIAANN", secret: "ann"}], policies: {p: {
                Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "sts:*", Resource: "*"}]}}}],
              roles: [
                {name: "fresh", trustPolicy: {Version: "2012-10-17", Statement: [{
                  Effect: "Allow", Principal: {AWS: "000000000000"}, Action: "sts:AssumeRole",
                  Condition: {DateGreaterThan: {"aws:TokenIssueTime": "\(limit)"}}}]}},
                {name: "mfa", trustPolicy: {Version: "2012-10-17", Statement: [{
                  Effect: "Allow", Principal: {AWS: "000000000000"}, Action: "sts:AssumeRole",
                  Condition: {NumericLessThan: {"aws:MultiFactorAuthAge": "1800"}}}]}}]}],
             identityProviders: []}
            """
        try await STSSandbox.run(seed: seed) { sts async throws in
            let device = try await sts.addDevice(for: "ann")
            let session = try await sts.call(
                "GetSessionToken", ["SerialNumber": device, "TokenCode": sts.code], as: STSSandbox.signature("ann")
            ).credentials
            for (age, status) in [(600, 200), (3600, 403)] {
                try await sts.cloud.age(by: .seconds(age))
                for role in ["fresh", "mfa"] {
                    let answer = try await sts.take(role, as: session)
                    #expect(answer.status == status, "\(role), aged by \(age): \(answer.message ?? "")")
                }
            }
        }
    }

    @Test("from before a reset are unknown")
    func reset() async throws {
        try await STSSandbox.run { sts async throws in
            let credentials = try await sts.assume("company", sts.token()).credentials
            #expect(try await sts.callerIdentity(credentials).status == 200)
            try await sts.cloud.reset()
            #expect(try await sts.callerIdentity(credentials).code == "InvalidClientTokenId")
        }
    }
}
