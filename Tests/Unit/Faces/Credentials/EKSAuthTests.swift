import Cloud
import Federation
import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("EKS Auth")
struct EKSAuthTests {
    @Test("returns credentials that expire in seconds since the epoch (K10)")
    func answer() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.assumeRole(sandbox.serviceAccountToken())
            #expect(answer.status == 200)
            #expect(answer.json.names == ["subject", "audience", "podIdentityAssociation", "assumedRoleUser", "credentials"])
            #expect(answer.json["subject"] == ["namespace": "pay", "serviceAccount": "processor"])
            let expiration = try #require(answer.json["credentials"]?["expiration"]?.integerValue)
            #expect(expiration - sandbox.cloud.clock.now.seconds <= 6 * 3600)
            #expect(expiration - sandbox.cloud.clock.now.seconds > 6 * 3600 - 60)
            #expect(answer.json["assumedRoleUser"]?["assumeRoleId"]?.stringValue?.hasPrefix("AROA") == true)
            #expect(answer.journal.face == "eks-auth")
            #expect(answer.journal.operation == "AssumeRoleForPodIdentity")
            #expect(answer.journal.decisions.first?.action == "eks-auth:AssumeRoleForPodIdentity")
        }
    }

    @Test(
        "has a code and a status for each error (K10, K11)",
        arguments: [
            ("x", "shop", "test", "InvalidTokenException", 400), ("", "none", "test", "ResourceNotFoundException", 404),
            ("", "other", "test", "InvalidTokenException", 400), ("", "-shop", "test", "InvalidParameterException", 400),
            ("", "shop", "wrong", "InvalidSignatureException", 403),
        ])
    func errors(token: String, cluster: String, secret: String, code: String, status: Int) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let valid = try await sandbox.serviceAccountToken()
            let answer = try await sandbox.assumeRole(token.isEmpty ? valid : token, cluster: cluster, secret: secret)
            #expect(answer.status == status)
            #expect(answer.journal.errorCode == code)
            #expect(answer.json.names == ["message"])
        }
    }

    @Test("refuses bodies of more than 64 KiB")
    func large() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let body = String(repeating: "x", count: 70_000)
            let answer = try await sandbox.send(.post, "/clusters/shop/assume-role-for-pod-identity", body: body)
            #expect(answer.status == 413)
            #expect(answer.journal.errorCode == "RequestEntityTooLarge")
        }
    }

    @Test("says that a token has expired (K10, K11)")
    func expired() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.serviceAccountToken()
            try await sandbox.cloud.age(by: .seconds(601))
            let answer = try await sandbox.assumeRole(token)
            #expect(answer.status == 400)
            #expect(answer.journal.errorCode == "ExpiredTokenException")
        }
    }

    @Test(
        "refuses bodies with other members (K10)",
        arguments: [
            (#"{"token": 1}"#, "InvalidParameterException"), ("{}", "InvalidParameterException"), ("[", "InvalidRequestException"),
            (#"{"token": "x", "pod": "y"}"#, "InvalidParameterException"),
        ])
    func bodies(body: String, code: String) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.assumeRole("", body: body)
            #expect(answer.status == 400)
            #expect(answer.journal.errorCode == code)
        }
    }

    @Test("refuses a role whose trust policy does not allow the session, with 400 (K10, K12)")
    func untrusted() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(actions: "'sts:AssumeRole'")) { sandbox async throws in
            let answer = try await sandbox.assumeRole(sandbox.serviceAccountToken())
            #expect(answer.status == 400)
            #expect(answer.journal.errorCode == "AccessDeniedException")
            #expect(sandbox.sessions.allLive().isEmpty)
        }
    }

    @Test("answers unsigned requests and unknown paths in its own protocol (K37)")
    func protocolErrors() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let unsigned = try await sandbox.send(.post, "/clusters/shop/assume-role-for-pod-identity", body: "{}")
            #expect(unsigned.status == 403)
            #expect(unsigned.journal.errorCode == "MissingAuthenticationTokenException")
            #expect(try await sandbox.send(.get, "/clusters/shop").status == 404)
        }
    }
}

extension DoorSandbox {
    /// Calls AssumeRoleForPodIdentity as the root user.
    /// - Parameter body: the body; by default one with the token.
    fileprivate func assumeRole(
        _ token: String, cluster: String = "shop", secret: String = "test", body: String? = nil
    ) async throws -> FaceAnswer {
        let body = body ?? #"{"token": "\#(token)"}"#
        let target = "/clusters/\(cluster)/assume-role-for-pod-identity"
        var request = SignableRequest(method: "POST", target: target, authority: "127.0.0.1:4566")
        let signer = SignatureV4.Signer(accessKey: "test", secret: secret, region: "us-east-1", service: "eks-auth")
        signer.sign(&request, payload: PayloadHash(of: Array(body.utf8)), at: cloud.clock.wall)
        var fields: [String: String] = [:]
        for field in request.fields { fields[field.name.canonicalName] = field.value }
        return try await send(.post, target, fields, body: body)
    }
}
