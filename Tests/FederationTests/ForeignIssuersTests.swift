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

    /// A step that runs during a fetch. It is set after the issuers exist, because it uses them.
    private final class Meanwhile: Sendable {
        private let step = Mutex<(@Sendable () async -> Void)?>(nil)

        func set(_ step: @escaping @Sendable () async -> Void) { self.step.withLock { $0 = step } }
        func run() async { await step.withLock { $0 }?() }
    }

    @Test("return their key to a waiting caller, even if thousands of others are fetched meanwhile")
    func crowd() async throws {
        try await withSandbox { cloud in
            let key = try SigningKey.generate(algorithm: .es256, created: .fill)
            let token = try JSONWebToken(
                parsing: JSONWebToken.sign(header: ["typ": "JWT"], claims: ["iss": "https://one.example"], key: key))
            let documents: [String: JSONValue] = [
                "https://one.example/.well-known/openid-configuration": [
                    "issuer": "https://one.example", "jwks_uri": "https://one.example/keys", "response_types_supported": ["id_token"],
                    "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
                ],
                "https://one.example/keys": ["keys": [.object(try key.jsonWebKey.json)]],
            ]
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
            _ = try await issuers.key(for: token, of: "https://one.example")
        }
    }
}
