import Cloud
import Federation
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import Calls

@Suite("A call")
struct ExchangeTests {
    private func withCall(
        _ target: String, authority: String = "localhost:4566", body: String = "", names: HostNames = HostNames(),
        _ test: (Call) async throws -> Void
    ) async throws {
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: target)
        let call = Call(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), peer: nil, isSecure: false,
            cloud: cloud, names: names)
        try await test(call)
        await cloud.close()
    }

    @Test(
        "splits the target and does not decode it",
        arguments: [
            ("/a%2Fb?c=%20", "/a%2Fb", "c=%20"), ("/a", "/a", ""), ("/?", "/", ""), ("/a?b?c", "/a", "b?c"), ("//a//", "//a//", ""),
        ])
    func target(text: String, path: String, query: String) async throws {
        try await withCall(text) { call in
            #expect(call.path == path)
            #expect(call.query == query)
        }
    }

    @Test(
        "has a host without port",
        arguments: [
            ("LocalHost:4566", "localhost"), ("a.b", "a.b"), ("[::1]:80", "[::1]"), ("[::1", "["), ("", ""),
        ])
    func host(authority: String, host: String) async throws {
        try await withCall("/", authority: authority) { call in #expect(call.host == host) }
    }

    @Test(
        "is not from this machine if a header names another client",
        arguments: [
            ("X-Real-IP", false), ("CF-Connecting-IP", false), ("True-Client-IP", false), ("X-Forwarded-Proto", false),
            ("Forwarded", false), ("User-Agent", true), ("X-Real", true),
        ])
    func machine(header: String, isFromThisMachine: Bool) async throws {
        let cloud = try await Cloud.open(folder: nil, seeds: [])
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost:4566", path: "/")
        head.headerFields[try #require(HTTPField.Name(header))] = "203.0.113.9"
        let peer = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let call = Call(request: request, peer: peer, isSecure: false, cloud: cloud, names: HostNames())
        #expect(call.isFromThisMachine == isFromThisMachine)
        await cloud.close()
    }

    @Test("uses its host as the origin of URLs, unless a public URL is configured")
    func origin() async throws {
        try await withCall("/") { #expect($0.origin == "http://localhost:4566") }
        try await withCall("/", names: HostNames(publicURL: "https://cloud.test")) { #expect($0.origin == "https://cloud.test") }
    }

    @Test("reads a small body and refuses a larger one")
    func bodies() async throws {
        try await withCall("/", body: "12345") { call async throws in
            #expect(try await call.collectBody(upTo: 5) == Array("12345".utf8))
        }
        try await withCall("/", body: "123456") { call async throws in
            await #expect(throws: BodyTooLarge.self) { try await call.collectBody(upTo: 5) }
        }
    }

    @Test("has a request identifier in the forms of S3 and STS, different each time")
    func names() throws {
        let id = RequestID()
        #expect(id.text.utf8.count == 16)
        #expect(id.text.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        #expect(id.hostID.utf8.count == 32)
        let fields = id.uuid.split(separator: "-")
        try #require(fields.map(\.count) == [8, 4, 4, 4, 12])
        #expect(fields[2].first == "4")
        #expect(fields[3].first == "a")
        #expect(id.text == id.text)
        #expect(id.uuid == id.uuid)
        for form in [id.text, id.uuid, id.longText, id.uuid.uppercased()] { #expect(RequestID.isSame(form, as: id.text)) }
        #expect(!RequestID.isSame(RequestID().longText, as: id.text))
        #expect(RequestID().text != id.text)
        #expect(RequestID().uuid != id.uuid)
    }

    @Test("becomes an entry of the journal")
    func entry() async throws {
        try await withCall("/a?b") { call async throws in
            call.note(face: "s3")
            call.note(caller: "arn")
            call.note(operation: "GetObject")
            call.note(errorCode: "NoSuchKey")
            let entry = call.entry(status: 404)
            #expect(entry.face == "s3")
            #expect(entry.caller == "arn")
            #expect(entry.operation == "GetObject")
            #expect(entry.errorCode == "NoSuchKey")
            #expect(entry.status == 404)
            #expect(entry.target == "/a?b")
            #expect(entry.method == "GET")
            #expect(entry.requestID == call.id.text)
        }
    }

    @Test("parses its query once")
    func query() async throws {
        try await withCall("/a?b=c%20d&e") { call in
            let first = try #require(call.queryFields)
            #expect(first == ["b": "c d", "e": ""])
            // The same storage, so not parsed again.
            let place = first.fields.withUnsafeBufferPointer(\.baseAddress)
            #expect(call.queryFields?.fields.withUnsafeBufferPointer(\.baseAddress) == place)
        }
        try await withCall("/a?b=%") { #expect($0.queryFields == nil) }
        try await withCall("/a") { #expect($0.queryFields == [:]) }
    }
}
