import Testing
import VirgaTesting
import WireFormats

@Suite("A connection")
struct ConnectionTests {
    private static let seed = """
        {accounts: [{id: "000000000000", buckets: [{name: "box"}]}],
         identityProviders: [{name: "company", issuer: "https://login.company.example", clients: [{id: "web"}],
           people: [{name: "alice", subject: "1", password: "p"}]}]}
        """
    private static let person = #"{"provider":"company","user":"alice"}"#

    private func withWire(_ body: @escaping @Sendable (inout Wire) async throws -> Void) async throws {
        try await withCloud(seed: Self.seed) { cloud in try await Wire.open(cloud.endpoint, body) }
    }

    @Test("carries many requests, each answered with its date")
    func keepAlive() async throws {
        try await withWire { wire async throws in
            for _ in 0..<3 {
                let before = Timestamp.now()
                try await wire.send("GET /_virga/health")
                let answer = try await wire.answer()
                #expect(answer.status == 200)
                #expect(answer.body == #"{"status":"ok"}"#)
                #expect(answer.fields.filter { $0.name.lowercased() == "date" }.count == 1)
                let date = try #require(answer["Date"].flatMap { Timestamp(httpDate: $0) })
                #expect((before.seconds...Timestamp.now().seconds).contains(date.seconds))
            }
        }
    }

    @Test(
        "answers HEAD as GET, without the body",
        arguments: [
            ("/_virga/health", 200), ("/idp/company/.well-known/openid-configuration", 200), ("/box/none", 403), ("/_virga/nothing", 404),
            ("/?Action=GetCallerIdentity&Version=2011-06-15", 400),
        ])
    func head(target: String, status: Int) async throws {
        try await withWire { wire async throws in
            try await wire.send("HEAD \(target)")
            #expect(try await wire.answer(isToHead: true).status == status)
            try await wire.send("GET /_virga/health")
            #expect(try await wire.answer().body == #"{"status":"ok"}"#)
        }
    }

    @Test("sends 100 Continue to a client that expects it")
    func expectation() async throws {
        try await withWire { wire async throws in
            try await wire.send("POST /_virga/tokens", ["Expect: 100-continue", "Content-Length: \(Self.person.utf8.count)"])
            #expect(try await wire.answer().status == 100)
            try await wire.write(Self.person)
            #expect(try await wire.answer().status == 200)
        }
    }

    @Test("sends 100 Continue to a client without a body as well, which may rely on it")
    func emptyExpectation() async throws {
        try await withWire { wire async throws in
            for _ in 0..<2 {
                try await wire.send("PUT /box/empty", ["Expect: 100-continue", "Content-Length: 0"])
                #expect(try await wire.answer().status == 100)
                #expect(try await wire.answer().status == 403)
            }
        }
    }

    @Test("sends 100 Continue only after the responses before are complete")
    func pipelinedExpectation() async throws {
        try await withWire { wire async throws in
            let head = "Expect: 100-continue\r\nContent-Length: \(Self.person.utf8.count)"
            try await wire.write(
                "GET /_virga/journal HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /_virga/tokens HTTP/1.1\r\nHost: localhost\r\n\(head)\r\n\r\n")
            #expect(try await wire.answer().status == 200)
            #expect(try await wire.answer().status == 100)
            try await wire.write(Self.person)
            #expect(try await wire.answer().status == 200)
        }
    }

    @Test("sends no 100 Continue to a client that has not waited")
    func needlessExpectation() async throws {
        try await withWire { wire async throws in
            try await wire.write(
                "GET /_virga/health HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /_virga/tokens HTTP/1.1\r\nHost: localhost\r\n"
                    + "Expect: 100-continue\r\nContent-Length: \(Self.person.utf8.count)\r\n\r\n\(Self.person)")
            #expect(try await wire.answer().status == 200)
            var answer = try await wire.answer()
            // Whether there is a 100 Continue depends on the arrival of the bytes, but there is one response in any case.
            if answer.status == 100 { answer = try await wire.answer() }
            #expect(answer.status == 200)
            try await wire.send("GET /_virga/health")
            #expect(try await wire.answer().status == 200)
        }
    }

    @Test("accepts a body in chunks")
    func chunks() async throws {
        try await withWire { wire async throws in
            try await wire.send("POST /_virga/tokens", ["Transfer-Encoding: chunked"])
            let (first, second) = (Self.person.prefix(10), Self.person.dropFirst(10))
            try await wire.write("a\r\n\(first)\r\n")
            try await wire.write("\(String(second.utf8.count, radix: 16));extension=1\r\n\(second)\r\n0\r\n\r\n")
            let answer = try await wire.answer()
            #expect(answer.status == 200)
            #expect(answer.body.contains(#""subject":"1""#))
        }
    }

    @Test(
        "continues after an error response with an unread body",
        arguments: [
            ("PUT /box/key", 403), ("POST /_virga/nothing", 404), ("POST /idp/nobody/token", 404), ("POST /", 405),
        ])
    func unreadBody(line: String, status: Int) async throws {
        try await withWire { wire async throws in
            try await wire.send(line, body: String(repeating: "x", count: 3 << 20))
            #expect(try await wire.answer().status == status)
            try await wire.send("GET /_virga/health")
            #expect(try await wire.answer().status == 200)
        }
    }

    /// The SDK of OSS for Python signs a `Content-Length` of a GET, but sends no body.
    @Test("answers a request that announces a body without sending it, and then closes", arguments: ["GET", "HEAD", "DELETE"])
    func announcedContent(method: String) async throws {
        try await withWire { wire async throws in
            try await wire.send("\(method) /box/key", ["Content-Length: 9"])
            let answer = try await wire.answer(isToHead: method == "HEAD")
            #expect(answer.status == 403)
            #expect(answer["Connection"] == "close")
            #expect(try await wire.isClosed())
        }
    }

    @Test("closes after an error response with a long unread body, and announces it")
    func longUnreadBody() async throws {
        try await withWire { wire async throws in
            try await wire.write("PUT /box/key HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\nx")
            let answer = try await wire.answer()
            #expect(answer.status == 403)
            #expect(answer["Connection"] == "close")
            #expect(try await wire.isClosed())
        }
    }

    @Test("closes if a chunked body that is not read does not end")
    func endlessUnreadBody() async throws {
        try await withWire { wire async throws in
            try await wire.send("PUT /box/key", ["Transfer-Encoding: chunked"])
            let chunk = "10000\r\n" + String(repeating: "x", count: 1 << 16) + "\r\n"
            try await wire.write(chunk)
            #expect(try await wire.answer().status == 403)
            for _ in 0..<129 { try? await wire.write(chunk) }
            #expect(try await wire.isClosed())
        }
    }

    @Test("answers pipelined requests in their order")
    func pipelining() async throws {
        try await withWire { wire async throws in
            let lines = ["GET /_virga/health", "GET /_virga/nothing", "GET /box", "POST /_virga/tokens", "GET /_virga/health"]
            let requests = lines.map { line in
                let body = line.hasPrefix("POST") ? Self.person : ""
                return "\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            try await wire.write(requests.joined())
            var statuses: [Int] = []
            for _ in lines { statuses.append(try await wire.answer().status) }
            #expect(statuses == [200, 404, 403, 200, 200])
        }
    }

    @Test(
        "closes after an invalid request",
        arguments: [
            "NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET /\u{1} HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        ])
    func malformed(text: String) async throws {
        try await withWire { wire async throws in
            try await wire.write(text)
            let answer = try await wire.answer()
            #expect(answer.status == 400)
            #expect(answer["Connection"] == "close")
            #expect(try await wire.isClosed())
        }
    }

    @Test("closes at the client's request")
    func close() async throws {
        try await withWire { wire async throws in
            try await wire.send("GET /_virga/health", ["Connection: close"])
            #expect(try await wire.answer().status == 200)
            #expect(try await wire.isClosed())
        }
    }

    @Test("closes after a request for another protocol, and announces it", arguments: ["CONNECT localhost:80", "GET /_virga/health"])
    func otherProtocol(line: String) async throws {
        try await withWire { wire async throws in
            try await wire.send(line, line.hasPrefix("GET") ? ["Upgrade: h2c", "Connection: upgrade"] : [])
            #expect(try await wire.answer()["Connection"] == "close")
            #expect(try await wire.isClosed())
        }
    }

    @Test(
        "accepts targets of every form",
        arguments: [
            ("OPTIONS *", 405), ("GET http://localhost/_virga/health", 200), ("GET /%", 400), ("GET /%00", 400), ("GET /?%", 400),
            ("GET //", 403), ("GET /..%2F", 400), ("GET /box?acl&acl", 403),
        ])
    func targets(line: String, status: Int) async throws {
        try await withWire { wire async throws in
            try await wire.send(line)
            #expect(try await wire.answer().status == status)
            try await wire.send("GET /_virga/health")
            #expect(try await wire.answer().status == 200)
        }
    }

    @Test("routes an unsigned form to the service of its version")
    func forms() async throws {
        try await withWire { wire async throws in
            let form = ["Content-Type: application/x-www-form-urlencoded"]
            try await wire.send("POST /", form, body: "Action=GetCallerIdentity&Version=2011-06-15")
            let sts = try await wire.answer()
            #expect(sts.status == 403)
            #expect(sts.body.contains("<Code>MissingAuthenticationToken</Code>"))
            try await wire.send("POST /", form, body: "Action=ListUsers&Version=2010-05-08")
            #expect(try await wire.answer().body.contains("iam.amazonaws.com"))
            try await wire.send("POST /", form, body: "hello=world")
            let s3 = try await wire.answer()
            #expect(s3.status == 405)
            #expect(s3["x-amz-request-id"] != nil)
            try await wire.send("GET /_virga/journal?face=sts")
            #expect(try await wire.answer().body.contains(#""operation":"GetCallerIdentity""#))
        }
    }
}
