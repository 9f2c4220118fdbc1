import Fixtures
import SQLite
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("What a request issues on a directory that has changed since")
struct GrantIssuerTests {
    /// A change between the moment when a request reads the directory and the moment when it issues.
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The refusal of what is issued to alice for the client `app`; `nil` if it is issued.
        var refusal: GrantRefusal?
        var perform: @Sendable (Cloud) async throws -> Void

        static func edit(_ name: String, _ refusal: GrantRefusal?, _ edits: (@Sendable (inout Directory) -> Void)...) -> Change {
            Change(testDescription: name, refusal: refusal) { cloud async throws in
                for edit in edits { try await cloud.edit { edit(&$0) } }
            }
        }
    }

    private static let client = Client(id: "app", secret: "s", name: "app", redirectURIs: [], applicationID: nil)
    private static let alice = Person(name: "alice", subject: "1", password: "p", claims: [:])
    private static let bob = Person(name: "bob", subject: "2", password: "p", claims: [:])

    private static var company: IdentityProvider {
        let other = Client(id: "other", secret: "s", name: "other", redirectURIs: [], applicationID: nil)
        return IdentityProvider(
            name: "company", kind: .openIDConnect, issuer: "https://login.company.example", clients: [client, other], people: [alice, bob],
            tokenLifetime: 600)
    }

    @Sendable private static func put(_ directory: inout Directory) { directory.put(.provider(company)) }
    @Sendable private static func removeProvider(_ directory: inout Directory) { directory.remove(.init(.provider, "company")) }
    @Sendable private static func removeClient(_ directory: inout Directory) { directory.removeClient("app", at: "company") }
    @Sendable private static func removeAlice(_ directory: inout Directory) { directory.removePerson("alice", at: "company") }

    static let changes: [Change] = [
        .edit("nothing", nil),
        .edit("the provider is removed", .provider, removeProvider),
        .edit("the provider is replaced", .provider, removeProvider, put),
        .edit("the client is removed", .client, removeClient),
        .edit("the client is replaced", .client, removeClient, { $0.put(client, at: "company") }),
        .edit("the person is removed", .person, removeAlice),
        .edit("the person is replaced", .person, removeAlice, { $0.put(alice, at: "company") }),
        .edit("the person gets another subject", .person) {
            $0.put(Person(name: "alice", subject: "9", password: "p", claims: [:]), at: "company")
        },
        .edit("another client is removed", nil) { $0.removeClient("other", at: "company") },
        .edit("another person is removed", nil) { $0.removePerson("bob", at: "company") },
        .edit("all members are sent again", nil, put),
        Change(testDescription: "the user revokes the access", refusal: .access) { cloud async throws in
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: "alice")
        },
        Change(testDescription: "another user revokes the access", refusal: nil) { cloud async throws in
            try await cloud.grants.revokeAll(provider: "company", client: "app", person: "bob")
        },
        Change(testDescription: "the session ends", refusal: .access) { cloud async throws in
            try await cloud.grants.revokeAll(ofSession: "s1", provider: "company", clients: ["app"], person: "alice")
        },
        Change(testDescription: "the sandbox is reset", refusal: .provider) { cloud async throws in
            try await cloud.reset()
            try await cloud.edit { put(&$0) }
        },
    ]

    private func grant(_ kind: Grant.Kind = .accessToken, in cloud: Cloud) -> Grant {
        let now = cloud.clock.now
        return Grant(
            kind: kind, provider: "company", client: "app", person: "alice", issued: now, expires: now + .seconds(600),
            details: ["scope": "openid", "sid": "s1"])
    }

    /// Returns the refusal of an attempt; `nil` if it succeeds.
    private func refusal(_ attempt: () async throws -> Void) async throws -> GrantRefusal? {
        do {
            try await attempt()
            return nil
        } catch let refusal as GrantRefusal {
            return refusal
        }
    }

    @Test("is refused if it was removed or revoked", arguments: changes)
    func refusals(change: Change) async throws {
        try await withSandbox { cloud async throws in
            try await cloud.edit { Self.put(&$0) }
            let issuer = cloud.grantIssuer
            try await change.perform(cloud)
            let kept = try await refusal { try await issuer.keep(grant(.code, in: cloud), under: "code") }
            #expect(kept == change.refusal)
            #expect(try (cloud.grants.find("code", kind: .code, at: "company") != nil) == (change.refusal == nil))
            let sealed = try await refusal { _ = try issuer.seal(grant(in: cloud)) }
            #expect(sealed == change.refusal)
            let later = cloud.grantIssuer
            let token = try later.seal(grant(in: cloud))
            #expect(try cloud.grants.find(token, kind: .accessToken, at: "company") != nil)
            try await later.keep(grant(.code, in: cloud), under: "later")
            #expect(try cloud.grants.find("later", kind: .code, at: "company") != nil)
        }
    }

    @Test("is refused without a grant if a member was removed", arguments: changes)
    func checks(change: Change) async throws {
        try await withSandbox { cloud async throws in
            try await cloud.edit { Self.put(&$0) }
            let issuer = cloud.grantIssuer
            try await change.perform(cloud)
            let whole = try await refusal { try issuer.check(provider: "company", client: "app", person: "alice") }
            // What has no session does not end with one.
            #expect(whole == (change.testDescription == "the session ends" ? nil : change.refusal))
            let provider = try await refusal { try issuer.check(provider: "company") }
            #expect(provider == (change.refusal == .provider ? .provider : nil))
        }
    }

    @Test("leaves the single-use grant of another member of the name unspent")
    func spending() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.edit { Self.put(&$0) }
            let issuer = cloud.grantIssuer
            try await cloud.edit { Self.removeClient(&$0) }
            try await cloud.edit { $0.put(Self.client, at: "company") }
            try await cloud.grantIssuer.keep(grant(.code, in: cloud), under: "code")
            let access = IssuedGrant(grant(in: cloud), token: "token")
            #expect(try await refusal { try await issuer.keep([access], spending: "code") } == .client)
            #expect(try cloud.grants.find("code", kind: .code, at: "company") != nil)
            #expect(try await cloud.grantIssuer.keep([access], spending: "code"))
        }
    }

    @Test("issues nothing on a reusable grant that is revoked or spent")
    func using() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.edit { Self.put(&$0) }
            let issuer = cloud.grantIssuer
            try await issuer.keep(grant(.refreshToken, in: cloud), under: "refresh")
            let access = IssuedGrant(grant(in: cloud), token: "token")
            #expect(try await issuer.keep([access], using: "refresh"))
            #expect(try await issuer.keep([access], using: "refresh"))
            try await cloud.grants.revoke("token")
            try await cloud.grants.revoke("refresh")
            #expect(try await !issuer.keep([access], using: "refresh"))
            #expect(try cloud.grants.find("token", kind: .accessToken, at: "company") == nil)
        }
    }

    @Test("does not change the grant of another member of the name")
    func amendment() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.edit { Self.put(&$0) }
            let issuer = cloud.grantIssuer
            try await cloud.edit { Self.removeAlice(&$0) }
            try await cloud.edit { $0.put(Self.alice, at: "company") }
            try await cloud.grantIssuer.keep(grant(.browserSession, in: cloud), under: "cookie")
            let amended = try await refusal {
                try await issuer.amend("cookie", kind: .browserSession, at: "company") { $0.details["changed"] = true }
            }
            #expect(amended == .person)
            #expect(try cloud.grants.find("cookie", kind: .browserSession, at: "company")?.details["changed"] == nil)
        }
    }

    @Test("is refused in the transaction of the removal, before its commit")
    func sharedCommit() async throws {
        try await withSandbox { cloud async throws in
            let (sealed, moment, code) = (cloud.grants.sealed, cloud.grantIssuer.moment, grant(.code, in: cloud))
            let marks = try await cloud.database.write { connection in
                try sealed.check(code, since: moment, in: connection)
                let mark = try sealed.write(.client("app", provider: "company"), into: connection)
                #expect(throws: GrantRefusal.client) { try sealed.check(code, since: moment, in: connection) }
                return [mark]
            }
            // The mark is in the database, and not yet in memory.
            #expect(sealed.moment == moment)
            try sealed.check(code, since: moment)
            sealed.note(marks)
            #expect(sealed.moment != moment)
            #expect(throws: GrantRefusal.client) { try sealed.check(code, since: moment) }
        }
    }

    @Test("is refused in the transaction of a reset, before its commit")
    func sharedCommitOfReset() async throws {
        try await withSandbox { cloud async throws in
            let (sealed, moment, code) = (cloud.grants.sealed, cloud.grantIssuer.moment, grant(.code, in: cloud))
            let next = try Generation(number: moment.generation + 1)
            try await cloud.database.write { connection in
                sealed.beginReset()
                try next.store(in: connection)
                #expect(throws: GrantRefusal.provider) { try sealed.check(code, since: moment, in: connection) }
            }
        }
    }

    @Test("is issued after a removal that failed")
    func failedRemoval() async throws {
        struct Failure: Error {}
        try await withSandbox { cloud async throws in
            let (sealed, issuer) = (cloud.grants.sealed, cloud.grantIssuer)
            await #expect(throws: Failure.self) {
                try await cloud.database.write { connection in
                    _ = try sealed.write(.client("app", provider: "company"), into: connection)
                    throw Failure()
                }
            }
            try await issuer.keep(grant(.code, in: cloud), under: "code")
            #expect(try cloud.grants.find("code", kind: .code, at: "company") != nil)
        }
    }
}
