import Cryptography
import ObjectStore
import SQLite
import WireFormats

/// The grants of the sandbox's identity providers.
///
/// A look-up runs where the request runs: it is one seek by primary key.
package struct GrantStore: Sendable {
    let database: Database
    let clock: SandboxClock
    let sealed = SealedGrants()

    /// How long an expired grant is still told from an unknown one, as answers about expired tokens need it.
    private static let memory = Duration.seconds(7 * 86_400)

    /// Keeps `grant` under `token`, in place of what was kept there; it is found from the moment this returns.
    ///
    /// Each call forgets a few grants that are long expired, so that the table does not grow with the years.
    package func keep(_ grant: Grant, under token: String) async throws {
        let forgotten = clock.now - Self.memory
        try await database.write { connection in
            try GrantRecords.deleteSome(expiredBefore: forgotten, in: connection)
            try GrantRecords.insert(grant, hash: SHA256.hash(token), into: connection)
        }
    }

    /// Keeps what one request issues, in one transaction.
    /// - Parameter spent: the token that it is issued on, where that is for one use.
    /// - Returns: whether `spent` was still there to be used; if not, nothing is kept.
    @discardableResult
    package func keep(_ issued: [IssuedGrant], spending spent: String? = nil) async throws -> Bool {
        let forgotten = clock.now - Self.memory
        return try await database.write { connection in
            if let spent {
                let hash = SHA256.hash(spent)
                guard var grant = try GrantRecords.find(hash: hash, in: connection), !grant.isSpent else { return false }
                grant.details["spent"] = true
                grant.family = grant.family ?? issued.first?.grant.family
                try GrantRecords.insert(grant, hash: hash, into: connection)
            }
            try GrantRecords.deleteSome(expiredBefore: forgotten, in: connection)
            for one in issued { try GrantRecords.insert(one.grant, hash: SHA256.hash(one.token), into: connection) }
            return true
        }
    }

    /// An access token that carries its grant, so that nothing is written. It is found and taken back like those that are kept.
    /// - Throws: an error of the random generator.
    package func seal(_ grant: Grant) throws -> String { try sealed.seal(grant) }

    /// The grant of this token if it is known, of this kind, and neither expired, spent nor revoked.
    package func find(_ token: String, kind: Grant.Kind, at provider: String) throws -> Grant? {
        guard let grant = try look(up: token, kind: kind, at: provider), !grant.isSpent else { return nil }
        return clock.hasExpired(grant.expires, issuedAt: grant.issued) ? nil : grant
    }

    /// The grant of this token, expired or not; `nil` if it was never given or has been revoked.
    package func look(up token: String, kind: Grant.Kind, at provider: String) throws -> Grant? {
        let carried = kind == .accessToken ? sealed.open(token) : nil
        let grant = try carried ?? database.read { connection in try GrantRecords.find(hash: SHA256.hash(token), in: connection) }
        guard let grant, grant.kind == kind, grant.provider == provider else { return nil }
        return grant
    }

    /// Changes the grant of this token in one transaction, where `find` would find it: of many changes at one time none is lost, and what
    /// has been revoked stays so.
    /// - Returns: the grant as it is now; `nil` if there is none.
    @discardableResult
    package func amend(
        _ token: String, kind: Grant.Kind, at provider: String, _ change: @escaping @Sendable (inout Grant) -> Void
    ) async throws -> Grant? {
        try await database.write { [clock] connection -> Grant? in
            let hash = SHA256.hash(token)
            guard var grant = try GrantRecords.find(hash: hash, in: connection), grant.kind == kind, grant.provider == provider,
                !grant.isSpent, !clock.hasExpired(grant.expires, issuedAt: grant.issued)
            else { return nil }
            change(&grant)
            try GrantRecords.insert(grant, hash: hash, into: connection)
            return grant
        }
    }

    /// Takes the grant away and returns it: of many callers with the same code, one gets it.
    package func redeem(_ token: String, kind: Grant.Kind, at provider: String) async throws -> Grant? {
        let grant = try await database.write { connection -> Grant? in
            let hash = SHA256.hash(token)
            guard let grant = try GrantRecords.find(hash: hash, in: connection), grant.kind == kind, grant.provider == provider
            else { return nil }
            try GrantRecords.delete(hash: hash, in: connection)
            return grant
        }
        guard let grant, !clock.hasExpired(grant.expires, issuedAt: grant.issued) else { return nil }
        return grant
    }

    /// Takes a person's browser session away and returns it, for whoever knows it by the `sid` and not by the cookie.
    package func redeem(session: String, provider: String, person: String) async throws -> Grant? {
        let grant = try await database.write { connection in
            try GrantRecords.takeSession(session, provider: provider, person: person, in: connection)
        }
        guard let grant, !clock.hasExpired(grant.expires, issuedAt: grant.issued) else { return nil }
        return grant
    }

    /// Revokes one token. Unknown ones are no error (RFC 7009 section 2.2).
    package func revoke(_ token: String) async throws {
        let isSealed = sealed.open(token) != nil
        try await write(marking: isSealed ? [.token(token)] : []) { connection in
            try GrantRecords.delete(hash: SHA256.hash(token), in: connection)
        }
    }

    /// Writes, together with marks on sealed tokens.
    private func write(
        marking marks: [SealedGrants.Mark], _ change: @escaping @Sendable (Connection) throws -> Void
    ) async throws {
        try await database.write { [sealed] connection in
            try change(connection)
            return try marks.map { try sealed.write($0, into: connection) }
        } committed: { [sealed] marks in
            sealed.note(marks)
        }
    }

    /// Revokes the codes and tokens that a browser session gave some clients at a provider, but for those that are good while nobody is there.
    /// - Parameter session: the `sid`.
    package func revokeAll(ofSession session: String, provider: String, clients: [String], person: String) async throws {
        guard !clients.isEmpty else { return }
        let marks = clients.map { SealedGrants.Mark.session(session, provider: provider, client: $0, person: person) }
        try await write(marking: marks) { connection in
            for client in clients {
                try GrantRecords.delete(session: session, provider: provider, client: client, person: person, in: connection)
            }
        }
    }

    /// Revokes every code and token that a person gave a client at a provider.
    package func revokeAll(provider: String, client: String, person: String) async throws {
        try await write(marking: [.person(person, provider: provider, client: client)]) { connection in
            try GrantRecords.delete(provider: provider, client: client, person: person, in: connection)
        }
    }

    /// Revokes all that was issued, one on another, on one approval. The code that began it stays known as spent.
    package func revoke(family: String) async throws {
        try await database.write { connection in try GrantRecords.delete(family: family, in: connection) }
    }

    /// Revokes all that a client ever got at a provider.
    package func revokeAll(provider: String, client: String) async throws {
        try await write(marking: [.client(client, provider: provider)]) { connection in
            try GrantRecords.delete(provider: provider, client: client, in: connection)
        }
    }
}
