import Directory
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import Cloud
@testable import Federation

@Suite("The signature of a request")
struct AuthenticatorTests {
    private let target = "/box/key?x=1"

    private func request(
        _ id: String, _ secret: String, token: String? = nil, service: String = "s3", at time: Timestamp
    ) -> SignableRequest {
        var request = SignableRequest(method: "GET", target: target, authority: "localhost:4566")
        SignatureV4.Signer(accessKey: id, secret: secret, sessionToken: token, region: "eu-central-1", service: service)
            .sign(&request, payload: PayloadHash(of: []), at: time)
        return request
    }

    private func presigned(_ expires: Duration, at time: Timestamp) -> SignableRequest {
        let plain = SignableRequest(method: "GET", target: target, authority: "localhost:4566")
        let signer = SignatureV4.Signer(accessKey: "test", secret: "test", region: "eu-central-1", service: "s3")
        return SignableRequest(
            method: "GET", target: signer.presign(plain, expires: expires, at: time), authority: "localhost:4566")
    }

    private func mint(_ authenticator: Authenticator, _ cloud: Cloud) throws -> (credentials: SessionCredentials, token: String) {
        let role = try #require(cloud.directory.role("reader", in: "000000000000"))
        return try authenticator.sessions.mint(
            for: .role(arn: role.arn, id: role.role.id, sessionName: "app1"), duration: 3600)
    }

    @Test("identifies the root user, a user, a session or the anonymous caller")
    func callers() async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let now = cloud.clock.now
            func arn(_ request: SignableRequest) throws -> String? {
                try authenticator.authenticate(request, service: "s3")?.caller.arn
            }
            #expect(try arn(request("test", "test", at: now)) == "arn:aws:iam::000000000000:root")
            #expect(try arn(request("AKIAANN", "ann", at: now)) == "arn:aws:iam::000000000000:user/ann")
            let (credentials, token) = try mint(authenticator, cloud)
            let session = request(credentials.accessKeyID, credentials.secretAccessKey, token: token, at: now)
            #expect(try arn(session) == "arn:aws:sts::000000000000:assumed-role/reader/app1")
            let unsigned = SignableRequest(method: "GET", target: target, authority: "localhost:4566")
            #expect(try authenticator.authenticate(unsigned, service: "s3") == nil)
        }
    }

    @Test("is accepted up to a quarter of an hour early or late", arguments: [(-890, true), (-910, false), (890, true), (910, false)])
    func skew(offset: Int, isAccepted: Bool) async throws {
        try await withSandbox { cloud async throws in
            let request = request("test", "test", at: cloud.clock.now + .seconds(offset))
            let refusal = refusal(Authenticator(cloud: cloud), request)
            if isAccepted {
                #expect(refusal == nil)
            } else if case .requestTimeTooSkewed = refusal {
            } else {
                Issue.record("\(String(describing: refusal))")
            }
        }
    }

    @Test("of a presigned URL is accepted until the URL expires, which an aging makes earlier")
    func presigning() async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let url = presigned(.seconds(3600), at: cloud.clock.now)
            #expect(refusal(authenticator, url) == nil)
            try await cloud.age(by: .seconds(3600))
            guard case .presignedExpired = refusal(authenticator, url) else { throw Unexpected() }
            #expect(refusal(authenticator, presigned(.seconds(3600), at: cloud.clock.now)) == nil)
            guard case .presignedExpired = refusal(authenticator, presigned(.seconds(60), at: cloud.clock.now - .seconds(61)))
            else { throw Unexpected() }
            guard case .presignedNotYetValid = refusal(authenticator, presigned(.seconds(60), at: cloud.clock.now + .seconds(960)))
            else { throw Unexpected() }
        }
    }

    @Test("in a header does not age")
    func headersDoNotAge() async throws {
        try await withSandbox { cloud async throws in
            let request = request("test", "test", at: cloud.clock.now)
            try await cloud.age(by: .seconds(7200))
            #expect(refusal(Authenticator(cloud: cloud), request) == nil)
        }
    }

    @Test("of a role's session is refused when the role is deleted or created again")
    func roles() async throws {
        try await withSandbox { cloud async throws in
            let authenticator = Authenticator(cloud: cloud)
            let (credentials, token) = try mint(authenticator, cloud)
            let request = request(credentials.accessKeyID, credentials.secretAccessKey, token: token, at: cloud.clock.now)
            #expect(refusal(authenticator, request) == nil)
            let directory = cloud.directory
            var again = try #require(directory.role("reader", in: "000000000000")).role
            again.id = "AROAAAAAAAAAAAAAAAAAA"
            cloud.withState { $0.directory.insert(.role(again)) }
            guard case .invalidSessionToken = refusal(authenticator, request) else { throw Unexpected() }
            cloud.withState { $0.directory = Directory() }
            guard case .invalidSessionToken = refusal(authenticator, request) else { throw Unexpected() }
            cloud.withState { $0.directory = directory }
            #expect(refusal(authenticator, request) == nil)
        }
    }

    @Test("for another service is refused")
    func services() async throws {
        try await withSandbox { cloud async throws in
            guard
                case .wrongService(presented: "iam", expected: "s3") = refusal(
                    Authenticator(cloud: cloud), request("test", "test", service: "iam", at: cloud.clock.now))
            else { throw Unexpected() }
        }
    }

    @Test("must cover every amz header of a request to S3")
    func unsignedHeaders() async throws {
        try await withSandbox { cloud async throws in
            var request = request("test", "test", at: cloud.clock.now)
            request.fields[try #require(HTTPField.Name("x-amz-acl"))] = "private"
            guard case .headersNotSigned(["x-amz-acl"]) = refusal(Authenticator(cloud: cloud), request) else { throw Unexpected() }
        }
    }

    private func refusal(_ authenticator: Authenticator, _ request: SignableRequest) -> AuthenticationError? {
        do {
            guard try authenticator.authenticate(request, service: "s3") != nil else { return .unknownAccessKey("nobody") }
            return nil
        } catch {
            return error
        }
    }

    private struct Unexpected: Error {}
}
