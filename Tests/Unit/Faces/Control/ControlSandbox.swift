import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import WireFormats

@testable import ControlFace

/// A sandbox for one test, with a client for its control API.
struct ControlSandbox {
    let cloud: Cloud
    var access = ControlAccess(token: nil, isLoopback: true)
    var names = HostNames()
    /// What decides the actions of S3.
    var decideS3: ControlFace.StoreQuestion = { _, _, _, _ in nil }

    /// - Parameter mobile: The content of `mobileCloud` in the seed, without its braces.
    static func run(mobile: String = "", _ test: (ControlSandbox) async throws -> Void) async throws {
        let text = """
            {accounts: [{id: "000000000000", buckets: [{name: "box"}]}],
             identityProviders: [
               {name: "company", issuer: "https://login.company.example", clients: [{id: "web"}, {id: "cli"}],
                people: [{name: "alice", subject: "1", password: "p"}], saml: {}},
               {name: "facebook", clients: [{id: "1234"}], people: [{name: "alice", subject: "10000", password: "p"}]},
               {name: "google", people: [{name: "alice", subject: "110", password: "p"}]}],
             mobileCloud: {\(mobile)}}
            """
        try await withCloud(text) { cloud async throws in try await test(ControlSandbox(cloud: cloud)) }
    }

    /// Returns the keys that a call gives a backend, in a sandbox of its own.
    static func keys(mobile: String, path: String, body: String) async throws -> Set<String> {
        var keys: Set<String> = []
        try await run(mobile: mobile) { control async throws in
            let answer = try await control.send(.put, path, body)
            keys = Set(["id", "clientID", "clientSecret", "anonymousPassword"].compactMap { answer.json[$0]?.stringValue })
        }
        return keys
    }

    /// - Parameter path: The path after `/_virga`, with its query.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", fields: HTTPFields = [:],
        authority: String = "localhost:4566"
    ) async throws -> ControlAnswer {
        let raw = try await sendRaw(method, path, body, fields: fields, authority: authority)
        return ControlAnswer(status: raw.status, fields: raw.fields, json: try JSONValue(parsing: raw.text))
    }

    /// Sends a call whose response need not be JSON.
    func sendRaw(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", fields: HTTPFields = [:],
        authority: String = "localhost:4566"
    ) async throws -> (status: Int, fields: HTTPFields, text: String) {
        let call = Call(
            method, "/_virga" + path, fields, body: ByteBuffer(string: body), authority: authority, cloud: cloud, names: names)
        let response = await ControlFace(access: access, decideS3: decideS3).respond(to: call, path: String(path.prefix { $0 != "?" }))
        let content = try await response.collectedBody()
        cloud.journal.append(call.entry(status: response.status.code))
        return (response.status.code, response.headers, String(decoding: content, as: UTF8.self))
    }
}

struct ControlAnswer {
    var status: Int
    var fields: HTTPFields
    var json: JSONValue

    /// The code of an error response.
    var error: String? { json["error"]?.stringValue }
}
