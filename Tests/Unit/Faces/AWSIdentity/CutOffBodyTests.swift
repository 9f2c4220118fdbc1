import Calls
import Cloud
import Fixtures
import HTTPTypes
import Testing

@testable import AWSIdentityFaces

@Suite("Truncated request bodies at STS and IAM")
struct CutOffBodyTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    @Test("cause a client error at STS")
    func sts() async throws {
        try await STSSandbox.run { sts in
            let call = Call(.post, "/", Self.form, body: .cutOff(after: "Action=GetCaller"), cloud: sts.cloud)
            #expect(await sts.face.respond(to: call, form: nil).status == .badRequest)
            #expect(call.entry(status: 400).errorCode == "MalformedInput")
        }
    }

    @Test("cause a client error at IAM")
    func iam() async throws {
        try await IAMSandbox.run { iam in
            let call = Call(.post, "/", Self.form, body: .cutOff(after: "Action=Create"), cloud: iam.cloud)
            #expect(await iam.face.respond(to: call, form: nil).status == .badRequest)
            #expect(call.entry(status: 400).errorCode == "MalformedInput")
        }
    }
}
