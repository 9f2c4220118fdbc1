import AlibabaIdentityFaces
import Cloud
import Exchange
import Fixtures
import HTTPTypes
import Testing

@Suite("Bodies that end before their time, at STS and RAM of Alibaba Cloud")
struct CutOffBodyTests {
    @Test("are the client's error at STS and RAM")
    func calls() async throws {
        try await RPCSandbox.run { rpc in
            let exchange = Exchange(
                .post, "/", [.contentType: "application/x-www-form-urlencoded"], body: .cutOff(after: "Action=GetCaller"),
                authority: "sts.aliyuncs.com", cloud: rpc.cloud)
            let response = await rpc.face.respond(to: exchange)
            #expect(response.status == .badRequest && exchange.entry(status: 400).errorCode == "IncompleteBody")
        }
    }
}
