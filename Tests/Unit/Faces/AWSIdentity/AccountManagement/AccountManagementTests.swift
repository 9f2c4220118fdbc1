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

@Suite("AWS Account Management")
struct AccountManagementTests {
    private func send(
        _ path: String, _ body: String, by key: (String, String) = ("test", "test"), to sandbox: IAMSandbox
    ) async throws -> FaceAnswer {
        var signable = SignableRequest(method: "POST", target: path, authority: "localhost:4566")
        signable.fields[.contentType] = "application/json"
        SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: "us-east-1", service: "account")
            .sign(&signable, payload: PayloadHash(of: Array(body.utf8)), at: sandbox.cloud.clock.now)
        let call = Call(.post, path, signable.fields, body: ByteBuffer(string: body), cloud: sandbox.cloud)
        let response = await AccountManagementFace(authenticator: Authenticator(cloud: sandbox.cloud)).respond(to: call)
        return try await FaceAnswer(response, call.entry(status: Int(response.status.code)))
    }

    @Test(
        "describes the caller's account and its regions",
        arguments: [
            (
                "/getAccountInformation", "{}",
                #"{"AccountId":"000000000000","AccountName":"virga","AccountState":"ACTIVE"}"#
            ),
            (
                "/getRegionOptStatus", #"{"RegionName":"eu-south-1"}"#,
                #"{"RegionName":"eu-south-1","RegionOptStatus":"ENABLED"}"#
            ),
            (
                "/listRegions", #"{"MaxResults":1,"RegionOptStatusContains":["ENABLED_BY_DEFAULT"],"NextToken":"us-west-1"}"#,
                #"{"Regions":[{"RegionName":"us-west-2","RegionOptStatus":"ENABLED_BY_DEFAULT"}]}"#
            ),
            (
                "/listRegions", #"{"MaxResults":1}"#,
                #"{"Regions":[{"RegionName":"af-south-1","RegionOptStatus":"ENABLED"}],"NextToken":"af-south-1"}"#
            ),
        ])
    func answers(_ path: String, _ body: String, _ document: String) async throws {
        try await IAMSandbox.run { sandbox async throws in
            let answer = try await send(path, body, to: sandbox)
            #expect(answer.status == 200)
            #expect(answer.text == document)
            #expect(answer.journal.face == "account")
        }
    }

    @Test(
        "refuses wrong members",
        arguments: [
            ("/getRegionOptStatus", "{}", 400), ("/getRegionOptStatus", #"{"RegionName":"cn-north-1"}"#, 400),
            ("/listRegions", #"{"MaxResults":51}"#, 400), ("/listRegions", #"{"NextToken":"x"}"#, 400),
            ("/listRegions", #"{"RegionOptStatusContains":["OPEN"]}"#, 400), ("/listRegions", "[]", 400),
            ("/getAccountInformation", #"{"AccountId":"111111111111"}"#, 501), ("/getPrimaryEmail", "{}", 404),
        ])
    func refusals(_ path: String, _ body: String, _ status: Int) async throws {
        try await IAMSandbox.run { sandbox async throws in
            #expect(try await send(path, body, to: sandbox).status == status)
        }
    }

    @Test("needs permission for the account")
    func permission() async throws {
        let statement =
            "{Effect: 'Allow', Action: 'account:GetAccountInformation', Resource: 'arn:aws:account::000000000000:account'}"
        try await IAMSandbox.run(statement) { sandbox async throws in
            #expect(try await send("/getAccountInformation", "", by: IAMSandbox.ann, to: sandbox).status == 200)
            #expect(try await send("/listRegions", "", by: IAMSandbox.ann, to: sandbox).status == 403)
            let denied = try await send("/getAccountInformation", "", by: IAMSandbox.bob, to: sandbox)
            #expect(denied.status == 403)
            #expect(denied["x-amzn-errortype"] == "AccessDeniedException")
            #expect(denied.text.contains("account:GetAccountInformation"))
            #expect(denied.journal.decisions.map(\.allowed) == [false])
        }
    }
}
