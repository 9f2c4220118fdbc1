import HTTPTypes
import NIOHTTP1
import Testing

@testable import VirgaServer

/// RFC 9112 sections 6.1 and 7: the only coding is `chunked`, once, and without a length.
@Suite("The transfer coding of a request")
struct TransferCodingTests {
    private static func head(_ codings: [String], length: String? = nil, version: HTTPVersion = .http1_1) -> RequestHead? {
        var headers: HTTPHeaders = ["Host": "localhost"]
        for coding in codings { headers.add(name: "Transfer-Encoding", value: coding) }
        if let length { headers.add(name: "Content-Length", value: length) }
        return RequestHead(HTTPRequestHead(version: version, method: .POST, uri: "/", headers: headers), after: [:])
    }

    @Test("may be chunked, or none", arguments: [[], ["chunked"], ["Chunked"], ["CHUNKED"]])
    func accepted(codings: [String]) { #expect(Self.head(codings) != nil) }

    @Test("may be nothing else")
    func refused() {
        let values = [
            "", "chunked", "identity", "gzip", "gzip, chunked", "identity, chunked", "chunked, chunked", "chunked;q=1", "xchunked",
        ]
        for value in values where value != "chunked" { #expect(Self.head([value]) == nil, "\(value)") }
        for first in values {
            for second in values { #expect(Self.head([first, second]) == nil, "\(first), then \(second)") }
            #expect(Self.head([first], length: "5") == nil, "\(first) with a length")
            #expect(Self.head([first], version: .http1_0) == nil, "\(first) in HTTP/1.0")
        }
    }
}
