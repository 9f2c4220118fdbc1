import Cryptography
import ObjectStore
import SQLite
import WireFormats

/// The grants of the sandbox's identity providers, for what finds and revokes them. ``GrantIssuer`` issues them.
///
/// A look-up runs where the request runs: it is one seek by primary key.
package struct GrantStore: Sendable {
    let database: Database
    let clock: SandboxClock
    let sealed = SealedGrants()

    /// Returns the grant of a token if it is known, has this kind, and is not expired, spent or revoked.
    package func find(_ token: String, kind: Grant.Kind, at provider: String) throws -> Grant? {
        guard let grant = try look(up: token, kind: kind, at: provider), !grant.isSpent else { return nil }
        return clock.hasExpired(grant.expires, issuedAt: grant.issued) ? nil : grant
    }

    /// Returns the grant of a token, even if it is expired; `nil` if it was never issued or is revoked.
    package func look(up token: String, kind: Grant.Kind, at provider: String) throws -> Grant? {
        let carried = kind == .accessToken ? sealed.open(token) : nil
        let grant = try carried ?? database.read { connection in try GrantRecords.find(hash: SHA256.hash(token), in: connection) }
        guard let grant, grant.kind == kind, grant.provider == provider else { return nil }
        return grant
    }

    /// Deletes the grant and returns it. Of concurrent callers with the same code, only one receives it.
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

    /// Deletes a person's browser session and returns it, for callers that know its `sid` but not its cookie.
    package func redeem(session: String, provider: String, person: String) async throws -> Grant? {
        let grant = try await database.write { connection in
            try GrantRecords.takeSession(session, provider: provider, person: person, in: connection)
        }
        guard let grant, !clock.hasExpired(grant.expires, issuedAt: grant.issued) else { return nil }
        return grant
    }

    /// Returns the browser sessions at a provider in which a person is logged in, the oldest first.
    package func sessions(at provider: String) async throws -> [Grant] {
        let grants = try await database.readInPool { try GrantRecords.sessions(provider: provider, in: $0) }
        return grants.filter { !$0.person.isEmpty && !clock.hasExpired($0.expires, issuedAt: $0.issued) }.sorted { $0.issued < $1.issued }
    }

    /// Revokes one token. An unknown token is not an error (RFC 7009 section 2.2).
    package func revoke(_ token: String) async throws {
        let isSealed = sealed.open(token) != nil
        try await write(marking: isSealed ? [.token(token)] : []) { connection in
            try GrantRecords.delete(hash: SHA256.hash(token), in: connection)
        }
    }

    /// Writes a change, together with marks that revoke sealed tokens.
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

    /// Revokes the codes and tokens that clients received in a browser session, except for offline access.
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

    /// Revokes every code and token that a client received for a person at a provider.
    package func revokeAll(provider: String, client: String, person: String) async throws {
        try await write(marking: [.person(person, provider: provider, client: client)]) { connection in
            try GrantRecords.delete(provider: provider, client: client, person: person, in: connection)
        }
    }

    /// Revokes every code, token and consent that clients received for a person at a provider. Browser sessions continue.
    package func revokeAll(provider: String, clients: [String], person: String) async throws {
        guard !clients.isEmpty else { return }
        let marks = clients.map { SealedGrants.Mark.person(person, provider: provider, client: $0) }
        try await write(marking: marks) { connection in
            for client in clients { try GrantRecords.delete(provider: provider, client: client, person: person, in: connection) }
        }
    }

    /// Revokes all tokens of one approval. The initial code is kept as spent.
    package func revoke(family: String) async throws {
        try await database.write { connection in try GrantRecords.delete(family: family, in: connection) }
    }
}
