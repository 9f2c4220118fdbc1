import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Testing

@testable import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A reset of a stream does not affect the other streams of its connection, nor the process (RFC 9113 section 5.4.2).
@Suite("An HTTP/2 stream")
struct StreamTests {
    /// Runs `body` with a client that trusts a server, and the server's URL.
    private func withClient(_ body: @escaping @Sendable (HTTPClient, String) async throws -> Void) async throws {
        var template = Array("/tmp/virga-test-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            unlink("\(folder)/ca.pem")
            rmdir(folder)
        }
        var settings = Settings()
        settings.ports = []
        settings.securePorts = [0]
        settings.authorityFile = "\(folder)/ca.pem"
        try await Server(settings: settings).whileRunning { endpoint in
            var security = TLSConfiguration.makeClientConfiguration()
            security.trustRoots = .file("\(folder)/ca.pem")
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(tlsConfiguration: security))
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(client, endpoint)) } catch { outcome = .failure(error) }
            try await client.shutdown()
            try outcome.get()
        }
    }

    /// - Returns: The body of the response. Throws if the response does not arrive or is incomplete.
    private static func send(
        _ client: HTTPClient, _ method: HTTPMethod, _ url: String, _ body: HTTPClientRequest.Body? = nil
    ) async throws -> String {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.body = body
        let response = try await client.execute(request, timeout: .seconds(60))
        #expect(response.version == .http2)
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    @Test("is reset by a rule that drops the connection, and the connection continues", arguments: ["request", "answer", "body"])
    func drop(place: String) async throws {
        try await withClient { client, endpoint async throws in
            // An unsigned request, which STS refuses with a response.
            let call = "\(endpoint)/?Action=GetCallerIdentity&Version=2011-06-15"
            let rule = ByteBuffer(string: "{\"service\":\"sts\",\"connection\":\"\(place)\",\"times\":2}")
            let made = try await Self.send(client, .POST, "\(endpoint)/_virga/faults", .bytes(rule))
            #expect(made.contains("\"live\":true"))
            for (method, body) in [(HTTPMethod.GET, nil), (.POST, HTTPClientRequest.Body.bytes(ByteBuffer(string: "text")))] {
                await #expect(throws: (any Error).self) { try await Self.send(client, method, call, body) }
            }
            #expect(try await Self.send(client, .GET, "\(endpoint)/_virga/faults").contains("\"struck\":2"))
            #expect(try await Self.send(client, .GET, call).contains("<Code>"))
        }
    }

    @Test("is reset for an invalid request")
    func malformed() async throws {
        try await withClient { client, endpoint async throws in
            let health = "\(endpoint)/_virga/health"
            for _ in 0..<3 {
                await #expect(throws: (any Error).self) { try await Self.send(client, .RAW(value: "G(T"), health) }
                #expect(try await Self.send(client, .GET, health) == #"{"status":"ok"}"#)
            }
        }
    }
}
