import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Logging
import NIOCore
import ObjectServing
import WireFormats

@testable import MobileCloudFace

/// A mobile cloud for one test, with a client for its face.
struct MobileSandbox: Sendable {
    let cloud: Cloud
    /// Answers the requests of the face to other servers; by default they fail.
    var outbound: Outbound = { _ in throw ChannelError.eof }
    var names = HostNames()
    /// The queue of the buckets' notifications; by default there are no targets.
    var events = EventOutbox(targets: [:], logger: Logger(label: "test"))
    /// The cache of external issuers, kept from call to call.
    let relay = TokenRelay(logger: Logger(label: "test"))

    static let origin = "http://localhost:4566"

    /// - Parameters:
    ///   - - mobile: The content of `mobileCloud` in the seed, without its braces; by default only the backend `app`.
    ///   - - others: Further members of the seed, such as identity providers.
    static func run(
        _ mobile: String = "realms: [{name: \"Default\"}], backends: [{name: \"app\"}]", others: String = "accounts: []",
        _ test: (MobileSandbox) async throws -> Void
    ) async throws {
        let text = "{mobileCloud: {\(mobile)}, \(others)}"
        try await withCloud(text) { cloud async throws in try await test(MobileSandbox(cloud: cloud)) }
    }

    /// Returns the backend with a name and version 1.0.
    func backend(_ name: String = "app") throws -> MobileBackend {
        guard let backend = cloud.directory.mobile.backends["\(name)(1.0)"] else { throw NoSuchBackend(name: name) }
        return backend
    }

    struct NoSuchBackend: Error {
        var name: String
    }

    /// - Parameter target: Path and query.
    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: String = "", fields: HTTPFields = [:], authority: String = "localhost:4566"
    ) async throws -> MobileAnswer {
        try await send(method, target, RequestBody(buffer: ByteBuffer(string: body)), fields: fields, authority: authority)
    }

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ body: RequestBody, fields: HTTPFields, authority: String = "localhost:4566"
    ) async throws -> MobileAnswer {
        let call = Call(method, target, fields, body: body, authority: authority, cloud: cloud, names: names)
        let response = await MobileCloudFace(outbound: outbound, events: events, relay: relay).respond(
            to: call)
        let content = try await response.collectedBody()
        let entry = call.entry(status: response.status.code)
        cloud.journal.append(entry)
        return MobileAnswer(status: response.status.code, fields: response.headers, bytes: content, entry: entry, access: call.access)
    }

    func get(_ target: String, _ fields: HTTPFields = [:]) async throws -> MobileAnswer { try await send(.get, target, fields: fields) }

    /// Posts a form.
    func post(_ target: String, _ form: FormFields, _ fields: HTTPFields = [:]) async throws -> MobileAnswer {
        var fields = fields
        fields[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, target, form.encoded, fields: fields)
    }
}

struct MobileAnswer {
    var status: Int
    var fields: HTTPFields
    var bytes: [UInt8]
    var entry: JournalEntry
    /// What the call did in the bucket of a collection.
    var access: ObjectAccess?

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON, or null if it is not JSON.
    var json: JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }

    subscript(name: String) -> String? { json[name]?.stringValue }

    /// The member `o:errorCode`.
    var errorCode: String? { self["o:errorCode"] }
}
