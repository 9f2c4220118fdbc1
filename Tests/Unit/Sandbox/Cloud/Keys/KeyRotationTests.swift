import Fixtures
import Testing
import Tokens
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The signing keys of an issuer")
struct KeyRotationTests {
    private static func stages(_ keys: [IssuerKey]) -> [String] {
        keys.map { key in
            switch key.stage {
            case .next: "next"
            case .current: "current"
            case .retired: "retired"
            case .spare: "spare"
            }
        }
    }

    @Test("are one for each algorithm, created on first use")
    func algorithms() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            #expect(try await cloud.keys(of: "company").isEmpty)
            let asked: [SignatureAlgorithm] = [.es256, .rs384, .edDSA, .ps256]
            var names: Set<String> = []
            for algorithm in asked {
                let key = try await cloud.signingKey(for: "company", algorithm: algorithm)
                #expect(key.algorithm == algorithm)
                #expect(try await cloud.signingKey(for: "company", algorithm: algorithm).keyID == key.keyID)
                #expect(try await cloud.verificationKey(key.keyID, of: "company")?.fits(algorithm) == true)
                names.insert(key.keyID)
            }
            #expect(names.count == asked.count)
            #expect(try await cloud.keys(of: "company").map(\.key.algorithm) == [.rs384, .ps256, .es256, .edDSA])
            // The announced algorithms come first, then the others that have keys.
            let published = try await cloud.publishedKeys(of: "company", algorithms: [.es384, .rs256])
            #expect(published.map(\.key.algorithm) == [.es384, .rs256, .rs384, .ps256, .es256, .edDSA])
        }
    }

    @Test("are rotated on request, and removed after the overlap")
    func rotation() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let first = try await cloud.signingKey(for: "company")
            let keys = try await cloud.rotateKeys(of: "company", overlap: .seconds(3600))
            try #require(Self.stages(keys) == ["current", "retired"])
            #expect(keys[1].key.keyID == first.keyID)
            let second = try await cloud.signingKey(for: "company")
            #expect(second.keyID == keys[0].key.keyID)
            #expect(second.keyID != first.keyID)
            #expect(try await cloud.verificationKey(first.keyID, of: "company") != nil)
            try await cloud.age(by: .seconds(3000))
            // A third key does not change the overlap of the second.
            _ = try await cloud.rotateKeys(of: "company", overlap: .seconds(3600))
            #expect(Self.stages(try await cloud.keys(of: "company")) == ["current", "retired", "retired"])
            try await cloud.age(by: .seconds(700))
            #expect(try await cloud.verificationKey(first.keyID, of: "company") == nil)
            #expect(try await cloud.keys(of: "company").map(\.key.keyID).last == second.keyID)
            try await cloud.age(by: .seconds(3000))
            #expect(Self.stages(try await cloud.keys(of: "company")) == ["current"])
        }
    }

    @Test("are published once before they sign, if that is requested")
    func publishedBefore() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let first = try await cloud.signingKey(for: "company", algorithm: .es256)
            let keys = try await cloud.publishNextKeys(of: "company")
            #expect(Self.stages(keys) == ["current", "next"])
            #expect(try await cloud.publishNextKeys(of: "company").map(\.key.keyID) == keys.map(\.key.keyID))
            #expect(try await cloud.signingKey(for: "company", algorithm: .es256).keyID == first.keyID)
            let after = try await cloud.rotateKeys(of: "company", overlap: .seconds(3600))
            #expect(after.map(\.key.keyID) == [keys[1].key.keyID, first.keyID])
            #expect(try await cloud.signingKey(for: "company", algorithm: .es256).keyID == keys[1].key.keyID)
        }
    }

    @Test("are replaced at once without an overlap, and for one algorithm if that is requested")
    func oneAlgorithm() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            let es256 = try await cloud.signingKey(for: "company", algorithm: .es256)
            let edDSA = try await cloud.signingKey(for: "company", algorithm: .edDSA)
            let keys = try await cloud.rotateKeys(of: "company", algorithms: [.es256], overlap: .zero)
            #expect(Self.stages(keys) == ["current", "current"])
            #expect(try await cloud.verificationKey(es256.keyID, of: "company") == nil)
            #expect(try await cloud.signingKey(for: "company", algorithm: .edDSA).keyID == edDSA.keyID)
        }
    }

    @Test("keep their stages across a restart; after a reset, new keys with other identifiers are created on use")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            let before = try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                _ = try await cloud.signingKey(for: "company", algorithm: .es256)
                _ = try await cloud.rotateKeys(of: "company", overlap: .seconds(3600))
                return try await cloud.publishNextKeys(of: "company").map(\.key.keyID)
            }
            #expect(before.count == 3)
            #expect(Set(before).count == 3)
            try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                let keys = try await cloud.keys(of: "company")
                #expect(keys.map(\.key.keyID) == before)
                #expect(Self.stages(keys) == ["current", "next", "retired"])
                #expect(try await cloud.verificationKey(before[2], of: "company") != nil)
                let pem = try keys[0].key.pem
                try await cloud.reset()
                #expect(try await cloud.keys(of: "company").isEmpty)
                for name in before { #expect(try await cloud.verificationKey(name, of: "company") == nil) }
                // The rotation of another algorithm's key does not create it again.
                _ = try await cloud.signingKey(for: "company", algorithm: .edDSA)
                _ = try await cloud.rotateKeys(of: "company", overlap: .zero)
                #expect(try await cloud.keys(of: "company").map(\.key.algorithm) == [.edDSA])
                let after = try await cloud.signingKey(for: "company", algorithm: .es256)
                #expect(!before.contains(after.keyID))
                #expect(try after.pem == pem)
            }
            try await withSandbox(folder: folder, keys: nil) { cloud async throws in
                #expect(Self.stages(try await cloud.keys(of: "company")) == ["current", "current"])
            }
        }
    }

    @Test("are rotated one after the other by concurrent callers")
    func concurrency() async throws {
        try await withSandbox(keys: nil) { cloud async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await cloud.rotateKeys(of: "company", algorithms: [.es256], overlap: .seconds(3600)) }
                }
                try await group.waitForAll()
            }
            let keys = try await cloud.keys(of: "company")
            #expect(Self.stages(keys) == ["current"] + Array(repeating: "retired", count: 7))
            #expect(Set(keys.map(\.key.keyID)).count == 8)
            #expect(try await cloud.signingKey(for: "company", algorithm: .es256).keyID == keys[0].key.keyID)
        }
    }

    @Test("have the algorithms of the provider and its clients")
    func ofProviders() throws {
        var provider = IdentityProvider(name: "p", kind: .openIDConnect, issuer: nil, clients: [], people: [], tokenLifetime: 60)
        var client = Client(id: "c", secret: nil, name: "c", redirectURIs: [], applicationID: nil)
        #expect(provider.signingAlgorithms == [.rs256])
        #expect(provider.signingAlgorithm(for: client) == .rs256)
        provider.signingAlgorithm = .es256
        #expect(provider.signingAlgorithm(for: client) == .es256)
        client.metadata.idTokenSignedResponseAlg = "EdDSA"
        client.metadata.userinfoSignedResponseAlg = "HS256"
        provider.clients = [client]
        #expect(provider.signingAlgorithms == [.es256, .edDSA])
        #expect(provider.signingAlgorithm(for: client) == .edDSA)
    }

    @Test("have asymmetric algorithms: a seed cannot request another")
    func seeds() throws {
        func seed(_ algorithm: String, _ name: String = "name: 'company', issuer: 'https://company.example'") throws -> Seed {
            try decodeSeed("{identityProviders: [{\(name), signingAlgorithm: '\(algorithm)'}]}")
        }
        #expect(try seed("ES384").identityProviders.first?.signingAlgorithm == .es384)
        for algorithm in ["HS256", "none", "es384", ""] { #expect(throws: SeedError.self) { try seed(algorithm) } }
        #expect(throws: SeedError.self) { try seed("RS256", "name: 'google'") }
    }
}
