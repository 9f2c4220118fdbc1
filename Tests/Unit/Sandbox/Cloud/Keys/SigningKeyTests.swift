import Fixtures
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Signing keys")
struct SigningKeyTests {
    @Test("are one for each provider, also for concurrent first callers")
    func one() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let names = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await cloud.signingKey(for: "company").keyID } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(names.count == 1)
            #expect(try await cloud.signingKey(for: "google").keyID != names.first)
        }
    }

    @Test("verify their signatures, with the identifier that they publish")
    func verification() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let key = try await cloud.signingKey(for: "company")
            let token = try JSONWebToken(parsing: JSONWebToken.sign(claims: ["sub": "x"], key: key))
            let published = try await cloud.publishedKeys(of: "company")
            #expect(published.map(\.key.keyID) == [token.keyID])
            let verification = try #require(try await cloud.verificationKey(key.keyID, of: "company"))
            try token.verify(with: verification)
            #expect(try await cloud.verificationKey("another", of: "company") == nil)
        }
    }

    @Test("are known as the issuer's also after a reset, before they sign again")
    func afterReset() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let key = try await cloud.signingKey(for: "company")
            let thumbprint = try JSONWebKey(key.verificationKey).thumbprint
            try await cloud.reset()
            #expect(try await cloud.hasKey(thumbprints: [thumbprint]))
            #expect(!cloud.isName(key.keyID, ofKeyWithOneOf: [thumbprint]))
            let renamed = try await cloud.signingKey(for: "company")
            #expect(cloud.isName(renamed.keyID, ofKeyWithOneOf: [thumbprint]))
            #expect(!cloud.isName(renamed.keyID, ofKeyWithOneOf: []))
            #expect(renamed.isNamedElsewhere(key.keyID))
            #expect(!renamed.isNamedElsewhere(renamed.keyID))
            #expect(!renamed.isNamedElsewhere("another"))
        }
    }

    @Test("survive a restart; a reset creates one with another identifier")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            let (first, pem) = try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                let key = try await cloud.signingKey(for: "company")
                return (key.keyID, try key.pem)
            }
            let second = try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                #expect(try await cloud.signingKey(for: "company").keyID == first)
                try await cloud.reset()
                #expect(try await cloud.verificationKey(first, of: "company") == nil)
                let key = try await cloud.signingKey(for: "company")
                #expect(try key.pem == pem)
                return key.keyID
            }
            #expect(second != first)
            try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                #expect(try await cloud.signingKey(for: "company").keyID == second)
            }
        }
    }
}
