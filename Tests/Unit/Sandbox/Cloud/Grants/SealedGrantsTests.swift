import Fixtures
import SQLite
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Sealed access tokens")
struct SealedGrantsTests {
    private func grant(
        client: String = "app", person: String = "alice", at provider: String = "company", issued: Timestamp,
        lifetime: Duration = .seconds(600), details: JSONObject = ["scope": "openid email", "sid": "s1"]
    ) -> Grant {
        Grant(
            kind: .accessToken, provider: provider, client: client, person: person, issued: issued, expires: issued + lifetime,
            details: details)
    }

    private func isFound(_ token: String, in cloud: Cloud, at provider: String = "company") throws -> Bool {
        try cloud.grants.find(token, kind: .accessToken, at: provider) != nil
    }

    @Test("are found with all their values, and are not stored")
    func find() async throws {
        try await withSandbox { cloud async throws in
            let now = cloud.clock.now
            let token = try cloud.grantIssuer.seal(grant(issued: now))
            let found = try #require(try cloud.grants.find(token, kind: .accessToken, at: "company"))
            #expect(found.client == "app")
            #expect(found.person == "alice")
            #expect(found.issued == now)
            #expect(found.expires == now + .seconds(600))
            #expect(found.details == ["scope": "openid email", "sid": "s1"])
            #expect(found.family == nil)
            #expect(try !isFound(token, in: cloud, at: "other"))
            #expect(try cloud.grants.look(up: token, kind: .refreshToken, at: "company") == nil)
            #expect(try cloud.database.read { try $0.first("SELECT count(*) FROM grants") { $0.integer(0) } } == 0)
            #expect(try cloud.grantIssuer.seal(grant(issued: now)) != token)
        }
    }

    @Test("that were altered are unknown")
    func changes() async throws {
        try await withSandbox { cloud async throws in
            let token = try cloud.grantIssuer.seal(grant(issued: cloud.clock.now))
            for place in stride(from: 0, to: token.utf8.count, by: 7) {
                var bytes = Array(token.utf8)
                bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                #expect(try !isFound(String(decoding: bytes, as: UTF8.self), in: cloud))
            }
            for text in ["vat_", "vat_AQ", "vat_!", String(token.dropLast(8)), token + "A"] { #expect(try !isFound(text, in: cloud)) }
        }
    }

    @Test("expire, differ from unknown ones then, and age")
    func expiry() async throws {
        try await withSandbox { cloud async throws in
            let token = try cloud.grantIssuer.seal(grant(issued: cloud.clock.now))
            try await cloud.age(by: .seconds(600))
            let fresh = try cloud.grantIssuer.seal(grant(issued: cloud.clock.now))
            #expect(try !isFound(token, in: cloud))
            #expect(try isFound(fresh, in: cloud))
            #expect(try cloud.grants.look(up: token, kind: .accessToken, at: "company") != nil)
        }
    }

    @Test("are revoked one by one")
    func one() async throws {
        try await withSandbox { cloud async throws in
            let (one, other) = (
                try cloud.grantIssuer.seal(grant(issued: cloud.clock.now)), try cloud.grantIssuer.seal(grant(issued: cloud.clock.now))
            )
            try await cloud.grants.revoke(one)
            #expect(try !isFound(one, in: cloud))
            #expect(try isFound(other, in: cloud))
            #expect(try cloud.grants.look(up: one, kind: .accessToken, at: "company") == nil)
        }
    }

    @Test("are revoked with all that a user granted to a client, without effect on later ones")
    func person() async throws {
        try await withSandbox { cloud async throws in
            // In frozen time the clock cannot distinguish before from after.
            try await cloud.change(clock: .freeze(at: nil))
            let now = cloud.clock.now
            let before = try cloud.grantIssuer.seal(grant(issued: now))
            let others = [
                try cloud.grantIssuer.seal(grant(client: "other", issued: now)),
                try cloud.grantIssuer.seal(grant(person: "bob", issued: now)),
                try cloud.grantIssuer.seal(grant(at: "elsewhere", issued: now)),
            ]
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: "alice")
            #expect(try !isFound(before, in: cloud))
            #expect(try isFound(others[0], in: cloud))
            #expect(try isFound(others[1], in: cloud))
            #expect(try isFound(others[2], in: cloud, at: "elsewhere"))
            #expect(try isFound(try cloud.grantIssuer.seal(grant(issued: now)), in: cloud))
        }
    }

    @Test("stay when those of another user are revoked whose name is only canonically equivalent")
    func equivalentNames() async throws {
        try await withTemporaryFolder { folder async throws in
            let (one, other) = ("caf\u{E9}", "cafe\u{301}")
            var cloud = try await Cloud.open(folder: folder, seeds: [])
            let now = cloud.clock.now
            let kept = try cloud.grantIssuer.seal(grant(person: one, issued: now))
            // The last revocation is the one with the higher number; a file has the marks in the order of their bytes.
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: "bob")
            let revoked = try cloud.grantIssuer.seal(grant(person: other, issued: now))
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: other)
            #expect(try isFound(kept, in: cloud))
            #expect(try !isFound(revoked, in: cloud))
            await cloud.close()
            cloud = try await Cloud.open(folder: folder, seeds: [])
            #expect(try isFound(kept, in: cloud))
            #expect(try !isFound(revoked, in: cloud))
            await cloud.close()
        }
    }

    @Test("stay revoked after a restart, when the name of another user is only canonically equivalent")
    func equivalentNamesAfterRestart() async throws {
        try await withTemporaryFolder { folder async throws in
            let (one, other) = ("caf\u{E9}", "cafe\u{301}")
            var cloud = try await Cloud.open(folder: folder, seeds: [])
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: one)
            let revoked = try cloud.grantIssuer.seal(grant(person: other, issued: cloud.clock.now))
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: other)
            await cloud.close()
            cloud = try await Cloud.open(folder: folder, seeds: [])
            #expect(try !isFound(revoked, in: cloud))
            await cloud.close()
        }
    }

    @Test("end with their browser session, except those with offline access")
    func session() async throws {
        try await withSandbox { cloud async throws in
            let now = cloud.clock.now
            let (bound, other) = (
                try cloud.grantIssuer.seal(grant(issued: now)),
                try cloud.grantIssuer.seal(grant(issued: now, details: ["scope": "openid", "sid": "s2"]))
            )
            let offline = try cloud.grantIssuer.seal(grant(issued: now, details: ["scope": "openid offline_access", "sid": "s1"]))
            try await cloud.grants.revokeAll(ofSession: "s1", provider: "company", clients: ["app"], person: "alice")
            #expect(try !isFound(bound, in: cloud))
            #expect(try isFound(other, in: cloud))
            #expect(try isFound(offline, in: cloud))
        }
    }

    @Test("and their revocations survive a restart, and end at a reset")
    func restart() async throws {
        try await withTemporaryFolder { folder async throws in
            var cloud = try await Cloud.open(folder: folder, seeds: [])
            let now = cloud.clock.now
            let (kept, revoked) = (
                try cloud.grantIssuer.seal(grant(issued: now)), try cloud.grantIssuer.seal(grant(person: "bob", issued: now))
            )
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: "bob")
            await cloud.close()
            cloud = try await Cloud.open(folder: folder, seeds: [])
            #expect(try isFound(kept, in: cloud))
            #expect(try !isFound(revoked, in: cloud))
            // A grant that is sealed after the restart is newer than the revocations from before.
            #expect(try isFound(try cloud.grantIssuer.seal(grant(person: "bob", issued: now)), in: cloud))
            try await cloud.reset()
            #expect(try !isFound(kept, in: cloud))
            #expect(try !isFound(revoked, in: cloud))
            await cloud.close()
        }
    }

    @Test("are revoked concurrently, and no revocation is lost")
    func many() async throws {
        try await withSandbox { cloud async throws in
            let tokens = try (0..<32).map { try cloud.grantIssuer.seal(grant(person: "p\($0)", issued: cloud.clock.now)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<32 {
                    group.addTask { try await cloud.grants.revokeAll(provider: "company", client: "app", person: "p\(index)") }
                }
                try await group.waitForAll()
            }
            for token in tokens { #expect(try !isFound(token, in: cloud)) }
            for index in 0..<32 {
                #expect(try isFound(try cloud.grantIssuer.seal(grant(person: "p\(index)", issued: cloud.clock.now)), in: cloud))
            }
        }
    }
}
