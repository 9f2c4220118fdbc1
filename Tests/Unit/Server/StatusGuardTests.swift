import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import VirgaServer

@Suite("Answers without a valid status")
struct StatusGuardTests {
    private func received(_ status: Int) throws -> Int {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers([
            HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder(informationalResponseStrategy: .forward)),
        ])
        let installed = StatusGuard.install(in: channel)
        channel.embeddedEventLoop.run()
        try installed.wait()
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        try channel.writeOutbound(HTTPClientRequestPart.head(head))
        try channel.writeOutbound(HTTPClientRequestPart.end(nil))
        let digits = String(1000 + status).dropFirst()
        try channel.writeInbound(ByteBuffer(string: "HTTP/1.1 \(digits) A\r\nContent-Length: 2\r\n\r\n{}"))
        var count = 0
        while try channel.readInbound(as: HTTPClientResponsePart.self) != nil { count += 1 }
        return count
    }

    @Test("an answer with a status below 100 ends the connection", arguments: [0, 1, 99])
    func refused(_ status: Int) { #expect(throws: HTTPParserError.self) { try received(status) } }

    @Test("other answers pass", arguments: [200, 999])
    func passed(_ status: Int) throws { #expect(try received(status) == 3) }
}
