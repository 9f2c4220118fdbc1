import Directory
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("Signature Version 2 and the signature of a form")
struct OlderSignatureTests {
    private func request(_ id: String, _ secret: String, at time: Timestamp, token: String? = nil) throws -> SignableRequest {
        var request = SignableRequest(method: "GET", target: "/box/key?x=1", authority: "localhost:4566")
        request.fields[.date] = time.httpDate
        let line = token.map { "x-amz-security-token:\($0)\n" } ?? ""
        if let token { request.fields[try #require(HTTPField.Name("x-amz-security-token"))] = token }
        let signature = SignatureV2.signature(of: "GET\n\n\n\(time.httpDate)\n\(line)/box/key", secret: secret)
        request.fields[.authorization] = "AWS \(id):\(signature)"
        return request
    }

    private func presigned(until end: Timestamp) -> SignableRequest {
        let signature = SignatureV2.signature(of: "GET\n\n\n\(end.seconds)\n/box/key", secret: "test")
        return SignableRequest(
            method: "GET", target: "/box/key?AWSAccessKeyId=test&Expires=\(end.seconds)&Signature=\(percentEncoded(signature))",
            authority: "localhost:4566")
    }

    private func refusal(_ cloud: Cloud, _ request: SignableRequest) -> AuthenticationError? {
        do {
            guard try Authenticator(cloud: cloud).authenticate(request, service: "s3") != nil else { return .missingExpires }
            return nil
        } catch {
            return error
        }
    }

    @Test("identifies the root user, a user or a session")
    func callers() async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let now = cloud.clock.now
            let root = try #require(try authenticator.authenticate(request("test", "test", at: now), service: "s3"))
            #expect(root.caller.arn == "arn:aws:iam::000000000000:root")
            #expect(root.accessKey == "test")
            #expect(root.version == .v2)
            #expect(root.place == .header)
            #expect(root.payload == nil)
            #expect(root.region == nil)
            let user = try authenticator.authenticate(request("AKIAANN", "ann", at: now), service: "s3")
            #expect(user?.caller.arn == "arn:aws:iam::000000000000:user/ann")
            let role = try #require(cloud.directory.role("reader", in: "000000000000"))
            let (credentials, token) = try authenticator.sessions.mint(
                for: .role(arn: role.arn, id: role.role.id, sessionName: "app1"), duration: 3600)
            let session = try authenticator.authenticate(
                request(credentials.accessKeyID, credentials.secretAccessKey, at: now, token: token), service: "s3")
            #expect(session?.caller.arn == "arn:aws:sts::000000000000:assumed-role/reader/app1")
            #expect(try authenticator.authenticate(request("test", "test", at: now), service: "sts") == nil)
        }
    }

    @Test("is accepted up to a quarter of an hour early or late", arguments: [(-890, true), (-910, false), (890, true), (910, false)])
    func skew(offset: Int, isAccepted: Bool) async throws {
        try await withSandbox { cloud async throws in
            let time = cloud.clock.now + .seconds(offset)
            let refusal = refusal(cloud, try request("test", "test", at: time))
            if isAccepted {
                #expect(refusal == nil)
            } else if case .requestTimeTooSkewed(_, let text, _) = refusal {
                #expect(text == time.httpDate)
            } else {
                Issue.record("\(String(describing: refusal))")
            }
        }
    }

    @Test("of a presigned URL is accepted until the end that the URL names")
    func presigning() async throws {
        try await withSandbox { cloud async throws in
            #expect(refusal(cloud, presigned(until: cloud.clock.now + .seconds(60))) == nil)
            guard case .presignedExpired(_, _, nil) = refusal(cloud, presigned(until: cloud.clock.now - .seconds(1))) else {
                throw Unexpected()
            }
        }
    }

    @Test("is refused for an unknown key or a wrong secret")
    func unknown() async throws {
        try await withSandbox { cloud async throws in
            let now = cloud.clock.now
            guard case .unknownAccessKey("nobody") = refusal(cloud, try request("nobody", "x", at: now)) else { throw Unexpected() }
            guard case .signatureMismatch(_, "test") = refusal(cloud, try request("test", "x", at: now)) else { throw Unexpected() }
            var malformed = try request("test", "test", at: now)
            malformed.fields[.authorization] = "AWS test"
            guard case .signingV2(.malformedAuthorization) = refusal(cloud, malformed) else { throw Unexpected() }
        }
    }

    @Test("of a form's policy identifies the caller")
    func forms() async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            var fields = ["policy": "cG9saWN5", "awsaccesskeyid": "AKIAANN"]
            fields["signature"] = SignatureV2.signature(of: "cG9saWN5", secret: "ann")
            let form = try #require(try FormSignature { fields[$0] })
            let authenticated = try authenticator.authenticate(form, service: "s3")
            #expect(authenticated.caller.arn == "arn:aws:iam::000000000000:user/ann")
            #expect(authenticated.version == .v2)
            #expect(authenticated.place == .form)
            #expect(authenticated.signed == nil)
            fields["signature"] = "x"
            let forged = try #require(try FormSignature { fields[$0] })
            #expect(throws: AuthenticationError.self) { try authenticator.authenticate(forged, service: "s3") }
        }
    }

    private struct Unexpected: Error {}
}
