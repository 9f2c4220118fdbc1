import Calls
import Cloud
import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import AWSIdentityFaces

private let missing = "The requested policy or authorization details do not exist in this region or have expired."
private let invalid = "1 validation error detected: Value at "

@Suite("The IAM toolbox")
struct IAMToolboxTests {
    private static let path = "/authorization-details/"

    /// Sends a signed request.
    private func send(
        _ target: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, by key: (String, String) = ("test", "test"),
        to iam: IAMSandbox
    ) async throws -> FaceAnswer {
        var signable = SignableRequest(method: method.rawValue, target: target, authority: "localhost:4566")
        SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: "us-east-1", service: "iam")
            .sign(&signable, payload: PayloadHash(of: [UInt8]()), at: iam.cloud.clock.now)
        var headers = signable.fields
        for field in fields { headers.append(field) }
        let call = Call(method, target, headers, cloud: iam.cloud)
        let response = await iam.face.respond(to: call, form: nil)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    @Test(
        "checks the members in the path and in the query",
        arguments: [
            ("abc", 404, "ResourceNotFoundException", missing), ("abc/policy?policyUri=x", 404, "ResourceNotFoundException", missing),
            ("%61bc", 404, "ResourceNotFoundException", missing),
            (
                "NOT-ONE", 400, "ValidationException",
                invalid + "'authorizationId' failed to satisfy constraint: Member must satisfy regular expression pattern: "
                    + "[0123456789abcdefghijklmnopqrstuvwxyz]+"
            ),
            ("abc/policy", 400, "ValidationException", invalid + "'policyUri' failed to satisfy constraint: Member must not be null"),
            ("abc?nextToken=x", 400, "ValidationException", "The pagination token is not valid."),
            ("abc/policies", 404, "UnknownOperationException", "There is no such operation."),
            ("abc/policy/x", 404, "UnknownOperationException", "There is no such operation."),
        ] as [(String, Int, String, String)])
    func members(rest: String, status: Int, code: String, message: String) async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await send(Self.path + rest, to: iam)
            #expect(answer.status == status)
            #expect(answer["x-amzn-ErrorType"] == code)
            #expect(answer.text == #"{"message":"\#(message)"}"#)
            #expect(answer.journal.face == "iam")
        }
    }

    @Test("has no operation for other methods")
    func methods() async throws {
        try await IAMSandbox.run { iam async throws in
            #expect(try await send(Self.path + "abc", method: .delete, to: iam)["x-amzn-ErrorType"] == "UnknownOperationException")
        }
    }

    @Test("needs the permission of IAM")
    func permission() async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await send(Self.path + "abc", by: IAMSandbox.bob, to: iam)
            #expect(answer.status == 403)
            #expect(answer["x-amzn-ErrorType"] == "AccessDeniedException")
            #expect(answer.text.contains("is not authorized to perform: iam:GetRequestAuthorizationDetails on resource: *"))
        }
    }

    @Test("refuses calls that a page of another origin signs with a well-known key")
    func foreignPage() async throws {
        try await IAMSandbox.run { iam async throws in
            let answer = try await send(Self.path + "abc", [.origin: "https://evil.example"], to: iam)
            #expect(answer.status == 403)
            #expect(answer["x-amzn-ErrorType"] == "AccessDeniedException")
            #expect(answer.text.contains("signed with a well-known access key"))
        }
    }

    @Test("applies errors on demand")
    func faults() async throws {
        try await IAMSandbox.run { iam async throws in
            _ = iam.cloud.faults.add(
                FaultRule(
                    service: "iam", action: "GetRequestAuthorizationDetails",
                    failure: .init(code: "InternalServerException", status: 500, message: "Later")))
            let answer = try await send(Self.path + "abc", to: iam)
            #expect(answer.status == 500)
            #expect(answer["x-amzn-ErrorType"] == "InternalServerException")
            #expect(answer.text == #"{"message":"Later"}"#)
        }
    }
}
