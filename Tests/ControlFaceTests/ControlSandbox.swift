import Cloud
import Exchange
import Federation
import HTTPTypes
import NIOCore
import WireFormats

@testable import ControlFace

/// A cloud of its own for one test, with a client for its control API.
struct ControlSandbox {
    let cloud: Cloud
    var access = ControlAccess(token: nil, isLoopback: true)
    var names = HostNames()

    static func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        let text = """
            {accounts: [{id: "000000000000", buckets: [{name: "box"}]}],
             identityProviders: [
               {name: "company", issuer: "https://login.company.example", clients: [{id: "web"}, {id: "cli"}],
                people: [{name: "alice", subject: "1", password: "p"}], saml: {}},
               {name: "facebook", clients: [{id: "1234"}], people: [{name: "alice", subject: "10000", password: "p"}]},
               {name: "google", people: [{name: "alice", subject: "110", password: "p"}]}]}
            """
        let seed = try SeedFile(name: "test", text: Array(text.utf8)).decode()
        let cloud = try await Cloud.open(folder: nil, seeds: [seed])
        let outcome: Result<Void, any Error>
        do {
            try await test(ControlSandbox(cloud: cloud))
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await cloud.close()
        try outcome.get()
    }

    /// - Parameter path: what follows `/_virga`, with its query.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", fields: HTTPFields = [:],
        authority: String = "localhost:4566"
    ) async throws -> ControlAnswer {
        let head = HTTPRequest(
            method: method, scheme: "http", authority: authority, path: "/_virga" + path, headerFields: fields)
        let exchange = Exchange(
            request: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), peer: nil, isSecure: false,
            cloud: cloud, names: names)
        let response = await ControlFace(access: access).respond(to: exchange, path: String(path.prefix { $0 != "?" }))
        let collector = BodyCollector()
        try await response.body.write(collector)
        cloud.journal.append(exchange.entry(status: response.status.code))
        return ControlAnswer(
            status: response.status.code, fields: response.headers, json: try JSONValue(parsing: collector.bytes))
    }
}

struct ControlAnswer {
    var status: Int
    var fields: HTTPFields
    var json: JSONValue

    /// The code of a refusal.
    var error: String? { json["error"]?.stringValue }
}

private final class BodyCollector: ResponseBodyWriter {
    var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws { bytes.append(contentsOf: buffer.readableBytesView) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
