import GatewayFace
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("The status of an upstream's answer")
struct UpstreamStatusTests {
    @Test("a status that ends no request is no answer", arguments: [0, 1, 99, 101, 199, 1000])
    func refused(_ status: Int) {
        #expect(throws: UpstreamFailure("it answered with the status \(status)")) { try NetworkClient.final(status: status) }
    }

    @Test("other statuses pass", arguments: [200, 404, 999])
    func passed(_ status: Int) throws { #expect(try NetworkClient.final(status: status).code == status) }
}
