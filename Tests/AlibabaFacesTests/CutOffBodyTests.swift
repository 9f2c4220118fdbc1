import AlibabaFaces
import Cloud
import Exchange
import FaceTesting
import HTTPTypes
import Testing

@Suite("Bodies that end before their time, at the faces of Alibaba Cloud")
struct CutOffBodyTests {
    @Test("are the client's error at OSS, and change nothing", arguments: ["", "half"])
    func oss(begin: String) async throws {
        try await OSSSandbox.run { oss in
            let answer = try await oss.send(.put, "/files/new", cutOffAfter: begin)
            #expect(answer.status == 400 && answer.code == "IncompleteBody", "\(answer.code ?? "")")
            #expect(try await oss.send(.get, "/files/new").status == 404)
        }
    }

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
