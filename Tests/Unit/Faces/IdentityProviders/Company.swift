import Cloud
import Directory
import Federation
import Fixtures
import Synchronization
import Testing
import Tokens
import WireFormats

/// The issuer `company`, with an application that has further client metadata.
enum Company {
    static let responseTypes = ResponseType.allCases.map(\.rawValue)

    enum ResponseType: String, CaseIterable {
        case code
        case idToken = "id_token"
        case idTokenToken = "id_token token"
        case codeIDToken = "code id_token"
        case codeToken = "code token"
        case codeIDTokenToken = "code id_token token"
        case token, none
    }

    /// A sandbox whose `web-app` has the client metadata that `describe` sets.
    static func sandbox(_ describe: (inout ClientMetadata) -> Void) async throws -> Cloud {
        let cloud = try await Visitor.sandbox()
        try await change(cloud) { provider in describe(&provider.clients[0].metadata) }
        return cloud
    }

    /// Changes the issuer as an administrator does.
    static func change(_ cloud: Cloud, _ change: (inout IdentityProvider) -> Void) async throws {
        try await cloud.edit { directory in
            var provider = try #require(directory.providers["company"])
            change(&provider)
            directory.put(.provider(provider))
        }
    }

    /// The claims of a token, verified with the issuer's published keys.
    static func claims(_ token: String?, at visitor: Visitor) async throws -> JSONObject {
        let token = try JSONWebToken(parsing: try #require(token))
        let keys = try await visitor.get("company/jwks")
        let key = try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == token.keyID })
        try token.verify(with: key.key)
        return token.claims
    }

    /// The ID token of a login, from a request for the implicit flow.
    static func login(_ visitor: Visitor, as person: String = "alice", _ further: FormFields = [:]) async throws -> String {
        let request = Requests.company.with(["response_type": "id_token", "nonce": "n"]).with(further)
        let answer = try await visitor.authorize("company/authorize", request, as: person)
        return try #require(answer.redirected["id_token"], "\(answer.location) \(answer.body)")
    }
}

/// The documents that applications publish, and the requests that they receive.
final class Web: Sendable {
    private let state = Mutex((documents: [String: [UInt8]](), posts: [(url: String, form: FormFields)]()))
    private let isDown: Bool

    /// - Parameter isDown: Whether POST requests are answered with 503.
    init(isDown: Bool = false) { self.isDown = isDown }

    func publish(_ text: String, at url: String) { state.withLock { $0.documents[url] = Array(text.utf8) } }

    var posts: [(url: String, form: FormFields)] { state.withLock { $0.posts } }

    var applications: Applications {
        Applications(
            fetch: { url in
                let document = self.state.withLock { $0.documents[url] }
                return FetchedDocument(status: document == nil ? 404 : 200, body: document ?? [], cacheControl: "max-age=60")
            },
            post: { url, form in
                self.state.withLock { $0.posts.append((url, FormFields(parsing: form) ?? [:])) }
                return self.isDown ? 503 : 200
            })
    }
}
