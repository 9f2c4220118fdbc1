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

/// A mobile cloud of its own for one test, with a client that speaks to its face.
struct MobileSandbox: Sendable {
    let cloud: Cloud
    /// Answers the requests that the face makes of others; refuses them all by default.
    var outbound: Outbound = { _ in throw ChannelError.eof }
    var names = HostNames()
    /// Takes what buckets tell others of; nobody listens by default.
    var events = EventOutbox(targets: [:], logger: Logger(label: "test"))
    /// What the face remembers of issuers elsewhere from call to call.
    let relay = TokenRelay(logger: Logger(label: "test"))

    static let origin = "http://localhost:4566"

    /// - Parameters:
    ///   - mobile: what stands in `mobileCloud` of the seed, without its braces; the backend `app` alone where absent.
    ///   - others: further members of the seed, such as identity providers.
    static func run(
        _ mobile: String = "realms: [{name: \"Default\"}], backends: [{name: \"app\"}]", others: String = "accounts: []",
        _ test: (MobileSandbox) async throws -> Void
    ) async throws {
        let text = "{mobileCloud: {\(mobile)}, \(others)}"
        try await withCloud(text) { cloud async throws in try await test(MobileSandbox(cloud: cloud)) }
    }

    /// The backend of a name, version 1.0.
    func backend(_ name: String = "app") throws -> MobileBackend {
        guard let backend = cloud.directory.mobile.backends["\(name)(1.0)"] else { throw NoSuchBackend(name: name) }
        return backend
    }

    struct NoSuchBackend: Error {
        var name: String
    }

    /// - Parameter target: path and query.
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

    /// Null where the content is no JSON.
    var json: JSONValue { (try? JSONValue(parsing: bytes)) ?? .null }

    subscript(name: String) -> String? { json[name]?.stringValue }

    /// `o:errorCode`
    var errorCode: String? { self["o:errorCode"] }
}
