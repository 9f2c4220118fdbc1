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

    @Test("may be chunked, or none", arguments: [[], ["chunked"], ["Chunked"], ["CHUNKED"], ["chunked "], ["chunked \t "]])
    func accepted(codings: [String]) { #expect(Self.head(codings) != nil) }

    @Test("may be nothing else")
    func refused() {
        let values = [
            "", "chunked", "identity", "gzip", "gzip, chunked", "identity, chunked", "chunked, chunked", "chunked;q=1", "xchunked",
            "chunked ,", "chunked chunked", "chunked\u{B}", "chunked\u{A0}", " ", "chunked ; q=1",
        ]
        for value in values where value != "chunked" { #expect(Self.head([value]) == nil, "\(value)") }
        for first in values {
            for second in values { #expect(Self.head([first, second]) == nil, "\(first), then \(second)") }
            #expect(Self.head([first], length: "5") == nil, "\(first) with a length")
            #expect(Self.head([first], version: .http1_0) == nil, "\(first) in HTTP/1.0")
        }
    }

    @Test(
        "and the other fields that frame a request may have blanks behind their values (RFC 9110 section 5.5)",
        arguments: ["", " ", "\t \t"])
    func blanks(blanks: String) throws {
        let headers: HTTPHeaders = ["Host": "localhost\(blanks)", "Content-Length": "2\(blanks)", "Expect": "100-continue\(blanks)"]
        let request = HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/", headers: headers)
        let head = try #require(RequestHead(request, after: [:]))
        #expect(head.authority == "localhost")
        #expect(head.contentLength == 2)
        #expect(head.expectsContinue)
    }
}
