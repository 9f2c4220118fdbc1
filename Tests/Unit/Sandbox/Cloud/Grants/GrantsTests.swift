import Fixtures
import SQLite
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Grants")
struct GrantsTests {
    private func grant(
        _ kind: Grant.Kind = .accessToken, client: String = "app", person: String = "alice", at provider: String = "facebook",
        issued: Timestamp, lifetime: Duration = .seconds(3600)
    ) -> Grant {
        Grant(
            kind: kind, provider: provider, client: client, person: person, issued: issued, expires: issued + lifetime,
            details: ["scope": "email", "nested": ["n": 1]])
    }

    @Test("are found by token, kind and provider, with all their values")
    func find() async throws {
        try await withSandbox { cloud async throws in
            let now = cloud.clock.now
            try await cloud.grantIssuer.keep(grant(issued: now), under: "token")
            let found = try #require(try cloud.grants.find("token", kind: .accessToken, at: "facebook"))
            #expect(found.client == "app")
            #expect(found.person == "alice")
            #expect(found.issued == now)
            #expect(found.expires == now + .seconds(3600))
            #expect(found.details == ["scope": "email", "nested": ["n": 1]])
            #expect(try cloud.grants.find("Token", kind: .accessToken, at: "facebook") == nil)
            #expect(try cloud.grants.find("token", kind: .refreshToken, at: "facebook") == nil)
            #expect(try cloud.grants.find("token", kind: .accessToken, at: "amazon") == nil)
        }
    }

    @Test("that have expired are not found, but differ from unknown ones")
    func expiry() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(issued: cloud.clock.now, lifetime: .seconds(0)), under: "token")
            #expect(try cloud.grants.find("token", kind: .accessToken, at: "facebook") == nil)
            #expect(try cloud.grants.look(up: "token", kind: .accessToken, at: "facebook") != nil)
            #expect(try await cloud.grants.redeem("token", kind: .accessToken, at: "facebook") == nil)
        }
    }

    @Test("expire when their sandbox ages")
    func aging() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(issued: cloud.clock.now, lifetime: .seconds(600)), under: "old")
            try await cloud.age(by: .seconds(600))
            try await cloud.grantIssuer.keep(grant(issued: cloud.clock.now, lifetime: .seconds(600)), under: "new")
            #expect(try cloud.grants.find("old", kind: .accessToken, at: "facebook") == nil)
            #expect(try cloud.grants.find("new", kind: .accessToken, at: "facebook") != nil)
        }
    }

    @Test("are redeemed by only one of several concurrent callers")
    func redemption() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(.code, issued: cloud.clock.now), under: "code")
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<16 {
                    group.addTask { try await cloud.grants.redeem("code", kind: .code, at: "facebook") != nil }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
        }
    }

    @Test("are amended one change after another, and cannot be restored")
    func amendment() async throws {
        try await withSandbox { cloud async throws in
            let (grants, issuer) = (cloud.grants, cloud.grantIssuer)
            try await issuer.keep(grant(.browserSession, issued: cloud.clock.now), under: "session")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        try await issuer.amend("session", kind: .browserSession, at: "facebook") { $0.details["\(number)"] = true }
                    }
                }
                try await group.waitForAll()
            }
            let amended = try #require(try grants.find("session", kind: .browserSession, at: "facebook"))
            #expect((0..<16).allSatisfy { amended.details["\($0)"] == true })
            #expect(amended.details["scope"] == "email")
            #expect(try await issuer.amend("session", kind: .code, at: "facebook") { $0.person = "bob" } == nil)
            #expect(try await issuer.amend("session", kind: .browserSession, at: "amazon") { $0.person = "bob" } == nil)
            try await grants.revoke("session")
            #expect(try await issuer.amend("session", kind: .browserSession, at: "facebook") { $0.person = "bob" } == nil)
            #expect(try grants.look(up: "session", kind: .browserSession, at: "facebook") == nil)
        }
    }

    @Test("of another kind or provider are not removed by a redemption")
    func wrongRedemption() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(.code, issued: cloud.clock.now), under: "code")
            #expect(try await cloud.grants.redeem("code", kind: .refreshToken, at: "facebook") == nil)
            #expect(try await cloud.grants.redeem("code", kind: .code, at: "amazon") == nil)
            #expect(try await cloud.grants.redeem("code", kind: .code, at: "facebook") != nil)
        }
    }

    @Test("are revoked one by one, or all that a user granted to a client")
    func revocation() async throws {
        try await withSandbox { cloud async throws in
            let (grants, issuer) = (cloud.grants, cloud.grantIssuer)
            let now = cloud.clock.now
            try await issuer.keep(grant(issued: now), under: "one")
            try await issuer.keep(grant(issued: now), under: "two")
            try await issuer.keep(grant(.refreshToken, issued: now), under: "three")
            try await issuer.keep(grant(client: "other", issued: now), under: "other client")
            try await issuer.keep(grant(person: "bob", issued: now), under: "other person")
            try await grants.revoke("one")
            try await grants.revoke("never given")
            #expect(try grants.look(up: "one", kind: .accessToken, at: "facebook") == nil)
            #expect(try grants.look(up: "two", kind: .accessToken, at: "facebook") != nil)
            try await grants.revokeAll(provider: "facebook", client: "app", person: "alice")
            #expect(try grants.look(up: "two", kind: .accessToken, at: "facebook") == nil)
            #expect(try grants.look(up: "three", kind: .refreshToken, at: "facebook") == nil)
            #expect(try grants.look(up: "other client", kind: .accessToken, at: "facebook") != nil)
            #expect(try grants.look(up: "other person", kind: .accessToken, at: "facebook") != nil)
        }
    }

    @Test("are replaced by a grant with the same token")
    func replacement() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(issued: cloud.clock.now), under: "token")
            try await cloud.grantIssuer.keep(grant(person: "bob", issued: cloud.clock.now), under: "token")
            #expect(try cloud.grants.find("token", kind: .accessToken, at: "facebook")?.person == "bob")
        }
    }

    @Test("of a browser session are redeemed once by the session identifier of applications")
    func session() async throws {
        try await withSandbox { cloud async throws in
            var session = grant(.browserSession, client: "", issued: cloud.clock.now)
            session.details["sid"] = "s-1"
            try await cloud.grantIssuer.keep(session, under: "cookie")
            #expect(try await cloud.grants.redeem(session: "s-2", provider: "facebook", person: "alice") == nil)
            #expect(try await cloud.grants.redeem(session: "s-1", provider: "facebook", person: "bob") == nil)
            #expect(try await cloud.grants.redeem(session: "s-1", provider: "amazon", person: "alice") == nil)
            #expect(try await cloud.grants.redeem(session: "s-1", provider: "facebook", person: "alice")?.details["scope"] == "email")
            #expect(try await cloud.grants.redeem(session: "s-1", provider: "facebook", person: "alice") == nil)
            #expect(try cloud.grants.look(up: "cookie", kind: .browserSession, at: "facebook") == nil)
        }
    }

    @Test("that are long expired are deleted, a few with each new one")
    func forgetting() async throws {
        try await withSandbox { cloud async throws in
            let now = cloud.clock.now
            for number in 0..<20 {
                // Inserted as of its own day, when it was not yet old.
                let old = grant(issued: now - .seconds(30 * 86_400 - number))
                try await cloud.database.write { connection in
                    try GrantRecords.insert(old, hash: [UInt8(number)], into: connection)
                }
            }
            try await cloud.grantIssuer.keep(grant(issued: now - .seconds(3600)), under: "expired an hour ago")
            func count() throws -> Int64? {
                try cloud.database.read { try $0.first("SELECT count(*) FROM grants") { $0.integer(0) } }
            }
            #expect(try count() == 5)
            try await cloud.grantIssuer.keep(grant(issued: now), under: "new")
            #expect(try count() == 2)
            #expect(try cloud.grants.look(up: "expired an hour ago", kind: .accessToken, at: "facebook") != nil)
        }
    }

    @Test("are stored without their tokens")
    func secrecy() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.grantIssuer.keep(grant(issued: cloud.clock.now), under: "the-token-itself")
            let rows = try cloud.database.read { connection in
                try connection.all("SELECT hex(token_hash), document FROM grants") { $0.text(0) + $0.text(1) }
            }
            #expect(rows.count == 1)
            #expect(!rows[0].contains("the-token-itself"))
        }
    }
}
