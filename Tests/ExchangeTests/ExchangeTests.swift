import Cloud
import Federation
import HTTPTypes
import NIOCore
import Testing

@testable import Exchange

@Suite("An exchange")
struct ExchangeTests {
    private func withExchange(
        _ target: String, authority: String = "localhost:4566", body: String = "", names: HostNames = HostNames(),
        _ test: (Exchange) async throws -> Void
    ) async throws {
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: target)
        let exchange = Exchange(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), peer: nil, isSecure: false,
            cloud: cloud, names: names)
        try await test(exchange)
        await cloud.close()
    }

    @Test(
        "takes the target apart and leaves it encoded",
        arguments: [
            ("/a%2Fb?c=%20", "/a%2Fb", "c=%20"), ("/a", "/a", ""), ("/?", "/", ""), ("/a?b?c", "/a", "b?c"), ("//a//", "//a//", ""),
        ])
    func target(text: String, path: String, query: String) async throws {
        try await withExchange(text) { exchange in #expect(exchange.path == path && exchange.query == query) }
    }

    @Test(
        "knows its host without port",
        arguments: [
            ("LocalHost:4566", "localhost"), ("a.b", "a.b"), ("[::1]:80", "[::1]"), ("[::1", "["), ("", ""),
        ])
    func host(authority: String, host: String) async throws {
        try await withExchange("/", authority: authority) { exchange in #expect(exchange.host == host) }
    }

    @Test("spells URLs by its host, or as it was told to")
    func origin() async throws {
        try await withExchange("/") { #expect($0.origin == "http://localhost:4566") }
        try await withExchange("/", names: HostNames(publicURL: "https://cloud.test")) { #expect($0.origin == "https://cloud.test") }
    }

    @Test("reads a small body and refuses a longer one")
    func bodies() async throws {
        try await withExchange("/", body: "12345") { exchange async throws in
            #expect(try await exchange.collectBody(upTo: 5) == Array("12345".utf8))
        }
        try await withExchange("/", body: "123456") { exchange async throws in
            await #expect(throws: BodyTooLarge.self) { try await exchange.collectBody(upTo: 5) }
        }
    }

    @Test("names itself in the forms of S3 and STS, differently each time")
    func names() {
        let id = RequestID()
        #expect(id.text.utf8.count == 16 && id.text.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        #expect(id.hostID.utf8.count == 32)
        let fields = id.uuid.split(separator: "-")
        #expect(fields.map(\.count) == [8, 4, 4, 4, 12] && fields[2].first == "4" && fields[3].first == "a")
        #expect(id.text == id.text && id.uuid == id.uuid)
        for form in [id.text, id.uuid, id.longText, id.uuid.uppercased()] { #expect(RequestID.isSame(form, as: id.text)) }
        #expect(!RequestID.isSame(RequestID().longText, as: id.text))
        #expect(RequestID().text != id.text && RequestID().uuid != id.uuid)
    }

    @Test("ends as an entry of the journal")
    func entry() async throws {
        try await withExchange("/a?b") { exchange async throws in
            exchange.note(face: "s3")
            exchange.note(caller: "arn")
            exchange.note(operation: "GetObject")
            exchange.note(errorCode: "NoSuchKey")
            let entry = exchange.entry(status: 404)
            #expect(entry.face == "s3" && entry.caller == "arn" && entry.operation == "GetObject" && entry.errorCode == "NoSuchKey")
            #expect(entry.status == 404 && entry.target == "/a?b" && entry.method == "GET" && entry.requestID == exchange.id.text)
        }
    }
}
