import Cloud
import Directory
import Synchronization
import Testing
import Tokens
import WireFormats

@testable import Federation

@Suite("External issuers")
struct ForeignIssuersTests {
    private struct Unreachable: Error {}

    private static let issuer = "https://one.example"

    /// Returns a token of the issuer, and the issuer's documents by their URLs.
    private static func published() throws -> (token: JSONWebToken, documents: [String: JSONValue]) {
        let key = try SigningKey.generate(algorithm: .es256, created: .fill)
        let token = try JSONWebToken(
            parsing: JSONWebToken.sign(header: ["typ": "JWT"], claims: ["iss": .string(issuer)], key: key))
        let documents: [String: JSONValue] = [
            issuer + "/.well-known/openid-configuration": [
                "issuer": .string(issuer), "jwks_uri": .string(issuer + "/keys"), "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
            ],
            issuer + "/keys": ["keys": [.object(try key.jsonWebKey.json)]],
        ]
        return (token, documents)
    }

    /// A step that runs during a fetch. It is set after the issuers exist, because it uses them.
    private final class Meanwhile: Sendable {
        private let step = Mutex<(@Sendable () async -> Void)?>(nil)

        func set(_ step: @escaping @Sendable () async -> Void) { self.step.withLock { $0 = step } }
        func run() async { await step.withLock { $0 }?() }
    }

    @Test("return their key to a waiting caller, even if thousands of others are fetched meanwhile")
    func crowd() async throws {
        try await withSandbox { cloud in
            let (token, documents) = try Self.published()
            let meanwhile = Meanwhile()
            let issuers = ForeignIssuers(cloud: cloud) { url in
                guard let document = documents[url] else { throw Unreachable() }
                await meanwhile.run()
                return FetchedDocument(status: 200, body: document.serializedBytes())
            }
            meanwhile.set {
                for number in 0..<3000 {
                    await #expect(throws: WebIdentityError.unreachableProvider) {
                        try await issuers.key(for: token, of: "https://other-\(number).example")
                    }
                }
            }
            _ = try await issuers.key(for: token, of: Self.issuer)
        }
    }

    @Test("are requested once for concurrent callers")
    func flight() async throws {
        try await withSandbox { cloud in
            let (token, documents) = try Self.published()
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            let requested = Mutex<[String]>([])
            let issuers = ForeignIssuers(cloud: cloud) { url in
                requested.withLock { $0.append(url) }
                for await _ in released {}
                guard let document = documents[url] else { throw Unreachable() }
                return FetchedDocument(status: 200, body: document.serializedBytes())
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await issuers.key(for: token, of: Self.issuer) } }
                while issuers.waiters(for: Self.issuer) < 20 { await Task.yield() }
                release.finish()
                try await group.waitForAll()
            }
            #expect(requested.withLock { $0 } == [Self.issuer + "/.well-known/openid-configuration", Self.issuer + "/keys"])
        }
    }
}
