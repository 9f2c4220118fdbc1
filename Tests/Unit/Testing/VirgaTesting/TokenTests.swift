import Federation
import Fixtures
import Testing
import VirgaTesting

@Suite("A token without a login")
struct TokenTests {
    @Test("has every defect that the engine has")
    func faults() {
        #expect(VirgaTesting.TokenFault.allCases.map(\.rawValue) == Federation.TokenFault.allCases.map(\.rawValue))
    }

    @Test("opens the role that trusts its issuer, and one with a defect does not")
    func use() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let good = try await cloud.token("company", user: "alice")
            #expect(good.subject == "employee-0001-alice")
            try await FileStore(endpoint: cloud.endpoint, token: good.value).upload("hello", as: "notes.txt")
            for fault in [VirgaTesting.TokenFault.wrongAudience, .expired, .flippedSignatureBit, .algNone] {
                let bad = try await cloud.token("company", user: "alice", fault: fault)
                await #expect(throws: FileStore.Refusal.self) {
                    try await FileStore(endpoint: cloud.endpoint, token: bad.value).upload("hello", as: "notes.txt")
                }
            }
        }
    }

    @Test("can be of each kind and have other claims")
    func kinds() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let claims: [String: ClaimValue] = ["sub": "someone", "groups": ["a", 1, 1.5, true, nil, ["b": "c"]]]
            let token = try await cloud.token("company", user: "alice", claims: claims, missingClaims: ["email"], lifetime: .minutes(5))
            #expect(token.subject == "someone")
            #expect(token.lifetime == .seconds(300))
            for kind in [Token.Kind.idToken, .accessToken, .signedAccessToken, .refreshToken, .code] {
                #expect(try await cloud.token("company", user: "alice", kind: kind, scopes: ["openid"], nonce: "n").value.isEmpty == false)
            }
        }
    }

    @Test("is refused with the possible names for names that the cloud does not have")
    func unknownNames() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            func error(_ body: () async throws -> Token) async -> CloudError? {
                await #expect(throws: CloudError.self) { try await body() }
            }
            let provider = await error { try await cloud.token("compny", user: "alice") }
            #expect(provider?.code == .unknownProvider)
            #expect(provider?.message == "The cloud has no provider 'compny'; expected one of amazon, company, facebook, github, google.")
            let user = await error { try await cloud.token("company", user: "alcie") }
            #expect(user?.message == "The provider 'company' has no user 'alcie'; expected one of alice, bob, carol.")
            #expect(await error { try await cloud.token("company", user: "alice", client: "x") }?.code == .unknownClient)
            #expect(await error { try await cloud.token("amazon", user: "alice", kind: .idToken) }?.code == .tokenNotPossible)
            #expect(await error { try await cloud.token("company", user: "alice", lifetime: .zero) }?.code == .invalidArgument)
            #expect(await error { try await cloud.token("company", user: "alice", lifetime: .milliseconds(1)) }?.code == .invalidArgument)
        }
    }
}
