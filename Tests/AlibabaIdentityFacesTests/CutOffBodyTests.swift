import AlibabaIdentityFaces
import Calls
import Cloud
import Fixtures
import HTTPTypes
import Testing

@Suite("Bodies that end before their time, at STS and RAM of Alibaba Cloud")
struct CutOffBodyTests {
    @Test("are the client's error at STS and RAM")
    func calls() async throws {
        try await RPCSandbox.run { rpc in
            let call = Call(
                .post, "/", [.contentType: "application/x-www-form-urlencoded"], body: .cutOff(after: "Action=GetCaller"),
                authority: "sts.aliyuncs.com", cloud: rpc.cloud)
            let response = await rpc.face.respond(to: call)
            #expect(response.status == .badRequest && call.entry(status: 400).errorCode == "IncompleteBody")
        }
    }
}
