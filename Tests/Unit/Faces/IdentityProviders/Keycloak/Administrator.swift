import Calls
import Cloud
import Fixtures
import HTTPTypes
import IdentityProviders
import NIOCore
import Seeds
import Testing
import WireFormats

/// A client of Keycloak's Admin API in the test's process.
struct Administrator {
    let cloud: Cloud
    /// The access token; `nil` to send none.
    var token: String?
    var isOpen = true

    /// A sandbox with the realm `works` of the end-to-end tests and the administrator of all realms.
    static func sandbox() async throws -> Cloud {
        let folder = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/") + "/EndToEnd/oidc/realms"
        let admin = "{keycloakAdmin: {username: 'admin', password: 'admin-password'}}"
        let seeds = try SeedFile.decode([
            try SeedFile(path: "\(folder)/works.json"), SeedFile(name: "admin", text: Array(admin.utf8)),
        ])
        return try await Cloud.openForTest(seeds: seeds)
    }

    /// Logs in as an administration library does.
    /// - Parameters:
    ///   - realm: the realm of the user.
    ///   - form: the grant and the credentials.
    init(
        _ cloud: Cloud, realm: String = "master",
        _ form: FormFields = [
            "client_id": "admin-cli", "grant_type": "password", "username": "admin", "password": "admin-password",
        ]
    ) async throws {
        self.cloud = cloud
        let answer = try await Visitor(cloud, base: "/realms/").post("\(realm)/protocol/openid-connect/token", form)
        token = try #require(answer.json["access_token"]?.stringValue, "\(answer.body)")
    }

    /// - Parameter path: the path below `/admin/realms`, with its query.
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        let text = ByteBuffer(string: body?.serialized() ?? "")
        let call = Call(method, "/admin/realms\(path)", headers, body: text, cloud: cloud)
        let isOpen = isOpen
        let face = KeycloakAdminFace { _ in isOpen }
        let response = await face.respond(to: call, part: "realms", path: String(path.prefix { $0 != "?" }))
        let content = try await response.collectedBody()
        return Answer(
            status: response.status.code, headers: response.headers, body: String(decoding: content, as: UTF8.self),
            entry: call.entry(status: response.status.code))
    }

    func get(_ path: String) async throws -> JSONValue {
        let answer = try await send(.get, path)
        #expect(answer.status == 200, "\(path): \(answer.body)")
        return answer.json
    }

    /// Creates something, and returns the last part of its URL.
    func create(_ path: String, _ body: JSONValue) async throws -> String {
        let answer = try await send(.post, path, body)
        #expect(answer.status == 201, "\(path): \(answer.body)")
        return answer.location.split(separator: "/").last.map { String($0) } ?? ""
    }

    /// Changes something.
    func change(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws {
        let answer = try await send(method, path, body)
        #expect(answer.status == 204, "\(path): \(answer.body)")
    }

    /// Asks the realm `works` for the tokens of a person, as the client `portal`.
    func tokens(of person: String, password: String, scope: String = "openid") async throws -> Answer {
        try await Visitor(cloud, base: "/realms/").post(
            "works/protocol/openid-connect/token",
            [
                "client_id": "portal", "client_secret": "portal-secret", "grant_type": "password", "username": person, "password": password,
                "scope": scope,
            ])
    }
}
