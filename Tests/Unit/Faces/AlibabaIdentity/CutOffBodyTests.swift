import AlibabaIdentityFaces
import Calls
import Cloud
import Fixtures
import HTTPTypes
import Testing

@Suite("Truncated request bodies at Alibaba Cloud's STS and RAM")
struct CutOffBodyTests {
    @Test("cause a client error")
    func calls() async throws {
        try await RPCSandbox.run { rpc in
            let call = Call(
                .post, "/", [.contentType: "application/x-www-form-urlencoded"], body: .cutOff(after: "Action=GetCaller"),
                authority: "sts.aliyuncs.com", cloud: rpc.cloud)
            let response = await rpc.face.respond(to: call)
            #expect(response.status == .badRequest)
            #expect(call.entry(status: 400).errorCode == "IncompleteBody")
        }
    }
}
