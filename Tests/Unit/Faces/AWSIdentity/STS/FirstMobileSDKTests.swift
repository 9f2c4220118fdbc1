import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import WireFormats

@testable import AWSIdentityFaces

/// Requests to STS as the AWS SDK for iOS, version 1, makes them (see its `AmazonServiceRequest`, `AmazonAuthUtils` and
/// `AmazonAbstractWebServiceClient`).
@Suite("STS for the first mobile SDKs")
struct FirstMobileSDKTests {
    private static let formType = "application/x-www-form-urlencoded; charset=utf-8"

    /// Sends a body unchanged.
    private func post(
        _ body: String, _ fields: [(String, String)], authority: String = "sts.amazonaws.com", to sts: STSSandbox
    ) async throws -> STSAnswer {
        var headers = HTTPFields()
        for (name, value) in fields { headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        let head = HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/", headerFields: headers)
        let call = Call(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), peer: nil, isSecure: false,
            cloud: sts.cloud, names: sts.names)
        let response = await sts.face.respond(to: call, form: nil)
        return try await STSAnswer(response, call.entry(status: Int(response.status.code)))
    }

    /// The parameters, sorted and encoded as the SDK does.
    private func body(_ fields: FormFields) -> String {
        fields.fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.sorted().joined(separator: "&")
    }

    /// The headers that Signature Version 4 adds. It signs only the host and the date.
    private func version4(
        _ body: String, _ id: String, _ secret: String, service: String = "sts", authority: String = "sts.amazonaws.com", at time: Timestamp
    ) -> [(String, String)] {
        var request = SignableRequest(method: "POST", target: "/", authority: authority)
        SignatureV4.Signer(accessKey: id, secret: secret, region: "us-east-1", service: service)
            .sign(&request, payload: PayloadHash(of: Array(body.utf8)), at: time)
        return request.fields.map { ($0.name.rawName, $0.value) }
    }

    /// The body of a call, with the parameters that Signature Version 2 adds.
    private func version2(
        _ fields: FormFields, _ id: String, _ secret: String, method: String = "HmacSHA256", authority: String = "sts.amazonaws.com",
        at time: Timestamp
    ) throws -> String {
        var fields = fields
        fields.fields += [
            .init(name: "AWSAccessKeyId", value: id), .init(name: "SignatureVersion", value: "2"),
            .init(name: "SignatureMethod", value: method), .init(name: "Timestamp", value: time.iso8601Milliseconds),
        ]
        let text = Array("POST\n\(authority)\n/\n\(body(fields))".utf8)
        let code = try (method == "HmacSHA1" ? HashAlgorithm.sha1 : .sha256).authenticationCode(key: Array(secret.utf8), of: text)
        fields.fields.append(.init(name: "Signature", value: code.base64))
        return body(fields)
    }

    private static let identity: FormFields = ["Action": "GetCallerIdentity", "Version": "2011-06-15"]

    @Test("accepts Version 4 over host and date, with a Content-Type added again at each retry", arguments: [1, 2, 3])
    func retries(tries: Int) async throws {
        try await STSSandbox.run { sts async throws in
            let form = body(["Action": "GetSessionToken", "Version": "2011-06-15", "DurationSeconds": "3600"])
            let signature = version4(form, "AKIAANN", "ann", at: sts.cloud.clock.wall)
            #expect(signature.contains { $0.0 == "Authorization" && $0.1.contains("SignedHeaders=host;x-amz-date,") })
            let types = (0..<tries).map { _ in ("Content-Type", Self.formType) }
            #expect(try await post(form, types + signature, to: sts).status == 200)
            let joined = [("Content-Type", types.map(\.1).joined(separator: ", "))]
            let answer = try await post(form, joined + signature, to: sts)
            #expect(answer.status == 200)
            #expect(answer["AccessKeyId"]?.hasPrefix("ASIA") == true)
        }
    }

    @Test("accepts the session token as a parameter of the body in either signature version")
    func sessionToken() async throws {
        try await STSSandbox.run { sts async throws in
            let role = try #require(sts.cloud.directory.role("long", in: STSSandbox.account))
            let tokens = SessionTokens(cloud: sts.cloud)
            let (session, token) = try tokens.mint(for: .role(arn: role.arn, id: role.role.id, sessionName: "app1"), duration: 3600)
            let (other, _) = try tokens.mint(for: .role(arn: role.arn, id: role.role.id, sessionName: "app2"), duration: 3600)
            var fields = Self.identity
            fields.fields.append(.init(name: "SecurityToken", value: token))
            let now = sts.cloud.clock.wall
            let form = body(fields)
            let answer = try await post(form, version4(form, session.accessKeyID, session.secretAccessKey, at: now), to: sts)
            #expect(answer.status == 200)
            #expect(answer["Arn"]?.hasSuffix("assumed-role/long/app1") == true)
            let signed = try version2(fields, session.accessKeyID, session.secretAccessKey, at: now)
            #expect(try await post(signed, [], to: sts)["Arn"]?.hasSuffix("assumed-role/long/app1") == true)
            // A new key with the token of another session is refused, and so is a session's key without its token.
            let mixed = try await post(form, version4(form, other.accessKeyID, other.secretAccessKey, at: now), to: sts)
            #expect(mixed.status == 403)
            #expect(mixed.code == "InvalidClientTokenId")
            let bare = body(Self.identity)
            let without = try await post(bare, version4(bare, session.accessKeyID, session.secretAccessKey, at: now), to: sts)
            #expect(without.status == 403)
            #expect(without.code == "InvalidClientTokenId")
            try await sts.cloud.age(by: .seconds(3601))
            let expired = try await post(
                form, version4(form, session.accessKeyID, session.secretAccessKey, at: sts.cloud.clock.wall), to: sts)
            #expect(expired.status == 403)
            #expect(expired.code == "ExpiredToken")
        }
    }

    @Test("accepts a scope without a service name")
    func nameless() async throws {
        try await STSSandbox.run { sts async throws in
            let form = body(Self.identity)
            let now = sts.cloud.clock.wall
            let fields = version4(form, "AKIAANN", "ann", service: "(null)", authority: "localhost:4566", at: now)
            #expect(fields.contains { $0.1.contains("/us-east-1/(null)/aws4_request") })
            let answer = try await post(form, [("Content-Type", Self.formType)] + fields, authority: "localhost:4566", to: sts)
            #expect(answer.status == 200)
            #expect(answer["Arn"]?.hasSuffix("user/staff/ann") == true)
            let wrong = version4(form, "AKIAANN", "wrong", service: "(null)", authority: "localhost:4566", at: now)
            #expect(try await post(form, wrong, authority: "localhost:4566", to: sts).code == "SignatureDoesNotMatch")
            let other = version4(form, "AKIAANN", "ann", service: "sqs", authority: "localhost:4566", at: now)
            #expect(try await post(form, other, authority: "localhost:4566", to: sts).code == "SignatureDoesNotMatch")
        }
    }

    @Test(
        "accepts the host's first label as the service, as older SDKs sign for hosts that name none",
        arguments: [
            ("127", "127.0.0.1:4566", true), ("localhost", "localhost:4566", true), ("sqs", "sqs.localhost:4566", false),
            ("localhost", "127.0.0.1:4566", false), ("127", "127.x:4566", false),
        ])
    func labelOfHost(service: String, authority: String, isTaken: Bool) async throws {
        try await STSSandbox.run { sts async throws in
            let form = body(Self.identity)
            let fields = version4(form, "AKIAANN", "ann", service: service, authority: authority, at: sts.cloud.clock.wall)
            let answer = try await post(form, [("Content-Type", Self.formType)] + fields, authority: authority, to: sts)
            #expect(answer.status == (isTaken ? 200 : 403))
            #expect(answer.code == (isTaken ? nil : "SignatureDoesNotMatch"))
        }
    }

    @Test("accepts Signature Version 2 of the Query protocol", arguments: ["HmacSHA256", "HmacSHA1"])
    func version2(method: String) async throws {
        try await STSSandbox.run { sts async throws in
            let now = sts.cloud.clock.wall
            let form = try version2(
                ["Action": "GetFederationToken", "Version": "2011-06-15", "Name": "guest"], "test", "test", method: method, at: now)
            let answer = try await post(form, [("Content-Type", Self.formType)], to: sts)
            #expect(answer.status == 200)
            #expect(answer["FederatedUserId"] == "000000000000:guest")
            #expect(answer.journal.caller == "arn:aws:iam::000000000000:root")
            // A host with a port is signed with the port or without.
            for authority in ["localhost:4566", "localhost"] {
                let form = try version2(Self.identity, "AKIAANN", "ann", method: method, authority: authority, at: now)
                #expect(try await post(form, [], authority: "localhost:4566", to: sts).status == 200)
            }
        }
    }

    @Test("refuses Version 2 with the errors of that protocol")
    func refusals() async throws {
        try await STSSandbox.run { sts async throws in
            let now = sts.cloud.clock.wall
            func expect(_ form: String, _ status: Int, _ code: String) async throws {
                let answer = try await post(form, [("Content-Type", Self.formType)], to: sts)
                #expect(answer.status == status, "\(answer.code ?? "") \(answer.message ?? "")")
                #expect(answer.code == code, "\(answer.code ?? "") \(answer.message ?? "")")
            }
            try await expect(version2(Self.identity, "AKIAANN", "wrong", at: now), 403, "SignatureDoesNotMatch")
            try await expect(version2(Self.identity, "nobody", "x", at: now), 403, "InvalidClientTokenId")
            try await expect(version2(Self.identity, "AKIAANN", "ann", at: now - .seconds(910)), 400, "RequestExpired")
            try await expect(version2(Self.identity, "AKIAANN", "ann", at: now + .seconds(910)), 400, "RequestExpired")
            try await expect(version2(Self.identity, "AKIAANN", "ann", method: "HmacMD5", at: now), 400, "InvalidParameterValue")
            let unsigned = body(["Action": "GetCallerIdentity", "Version": "2011-06-15", "AWSAccessKeyId": "AKIAANN"])
            try await expect(unsigned, 400, "MissingParameter")
            try await expect(body(Self.identity), 403, "MissingAuthenticationToken")
            var iam: FormFields = ["Action": "ListUsers", "Version": "2010-05-08"]
            iam.fields.append(.init(name: "SignatureVersion", value: "2"))
            try await expect(body(iam), 400, "InvalidAction")
        }
    }

    @Test("accepts a provider's token without a signature, also in a retried request")
    func webIdentity() async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.token()
            let form = body([
                "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": STSSandbox.arn("company"),
                "RoleSessionName": "AmazonWIFCredentialsProvider", "WebIdentityToken": token, "DurationSeconds": "3600",
            ])
            let answer = try await post(form, [("Content-Type", Self.formType), ("Content-Type", Self.formType)], to: sts)
            #expect(answer.status == 200, "\(answer.message ?? "")")
            // The SDK's parser supports these two forms of a date.
            let expiration = try #require(answer["Expiration"])
            #expect(Timestamp(iso8601: expiration) != nil)
            #expect(expiration.hasSuffix("Z"))
            #expect(answer.element("AssumedRoleUser") != nil)
            #expect(answer["SubjectFromWebIdentityToken"] == "employee-1")
        }
    }
}
