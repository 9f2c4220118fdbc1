import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import WireFormats

@testable import AWSIdentityFaces

private let notInUse =
    #"{"__type":"AWSOrganizationsNotInUseException","Message":"Your account is not a member of an organization."}"#

@Suite("The AWS JSON protocol")
struct JSONProtocolTests {
    private static let target = "AWSOrganizationsV20161128."

    /// Sends a call of AWS Organizations, signed with `key`.
    private func send(
        _ target: String, _ body: String, by key: (String, String) = ("test", "test"), to sandbox: IAMSandbox
    ) async throws -> FaceAnswer {
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        signable.fields[.contentType] = "application/x-amz-json-1.1"
        signable.fields[.amazonTarget] = target
        SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: "us-east-1", service: "organizations")
            .sign(&signable, payload: PayloadHash(of: Array(body.utf8)), at: sandbox.cloud.clock.now)
        let call = Call(.post, "/", signable.fields, body: ByteBuffer(string: body), cloud: sandbox.cloud)
        let organizations = OrganizationsFace(authenticator: Authenticator(cloud: sandbox.cloud))
        let response = await organizations.respond(to: call)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    @Test(
        "reads members from the document, and writes errors as documents",
        arguments: [
            ("DescribeOrganization", "", notInUse), ("DescribeOrganization", "{}", notInUse),
            ("ListAccounts", #"{"MaxResults":20,"NextToken":null}"#, notInUse), ("ListRoots", #"{"Other":[{"x":true}]}"#, notInUse),
            (
                "ListRoots", #"{"MaxResults":21}"#,
                """
                {"__type":"ValidationException","Message":"1 validation error detected: Value '21' at 'maxResults' failed to satisfy \
                constraint: Member must have value less than or equal to 20"}
                """
            ),
            (
                "ListAccounts", #"{"MaxResults":"many"}"#,
                #"{"__type":"SerializationException","Message":"Could not convert 'many' to a number"}"#
            ),
            ("ListAccounts", "[]", #"{"__type":"SerializationException","Message":"The request body is not a JSON object."}"#),
            (
                "CloseAccount", "{}",
                """
                {"__type":"UnknownOperationException","Message":"Virga does not serve the operation \
                'AWSOrganizationsV20161128.CloseAccount'."}
                """
            ),
        ] as [(String, String, String)])
    func documents(operation: String, body: String, document: String) async throws {
        try await IAMSandbox.run { sandbox async throws in
            let answer = try await send(Self.target + operation, body, to: sandbox)
            #expect(answer.status == 400)
            #expect(answer.text == document)
            #expect(answer["content-type"] == "application/x-amz-json-1.1")
            #expect(answer.journal.face == "organizations")
        }
    }

    @Test("refuses calls without permission or with a wrong signature, with the codes of the protocol")
    func callers() async throws {
        try await IAMSandbox.run { sandbox async throws in
            let denied = try await send(Self.target + "ListRoots", "{}", by: IAMSandbox.bob, to: sandbox)
            #expect(denied.status == 400)
            #expect(denied.text.hasPrefix(#"{"__type":"AccessDeniedException","Message":"User: arn:aws:iam::000000000000:user/bob is not"#))
            let wrong = try await send(Self.target + "ListRoots", "{}", by: ("test", "wrong"), to: sandbox)
            #expect(wrong.status == 400)
            #expect(wrong.text.hasPrefix(#"{"__type":"InvalidSignatureException""#))
        }
    }

    @Test("sends the code that an error on demand names")
    func faults() async throws {
        try await IAMSandbox.run { sandbox async throws in
            _ = sandbox.cloud.faults.add(
                FaultRule(service: "organizations", failure: .init(code: "TooManyRequestsException", status: 400, message: "Later")))
            let answer = try await send(Self.target + "ListRoots", "{}", to: sandbox)
            #expect(answer.text == #"{"__type":"TooManyRequestsException","Message":"Later"}"#)
            #expect(answer.journal.operation == "ListRoots")
        }
    }

    @Test("reads the members of lists and structures under the names of the Query protocol")
    func members() async throws {
        try await IAMSandbox.run { sandbox async throws in
            let call = Call(.post, "/", [.amazonTarget: "T.Do"], cloud: sandbox.cloud)
            let body = Array(#"{"a":{"b":[1,{"c":false}]},"d":null,"e":"x"}"#.utf8)
            let read = try JSONProtocol(target: "T", messageMember: "message").read(call, body: body, form: nil)
            #expect(read.action == "Do")
            #expect(read.fields == ["a.b.member.1": "1", "a.b.member.2.c": "false", "e": "x"])
        }
    }
}
