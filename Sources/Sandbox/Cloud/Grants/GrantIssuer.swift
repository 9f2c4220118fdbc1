import Cryptography
package import Directory
import ObjectStore
import SQLite
import WireFormats

/// Why nothing can be issued: what the request read from the directory is not true any more.
package enum GrantRefusal: Error, Equatable {
    /// The provider was removed or replaced, or the sandbox was reset.
    case provider
    /// The client was removed.
    case client
    /// The person was removed or replaced.
    case person
    /// The person or the client revoked the access, or the session of the login ended.
    case access
}

/// Issues grants for a request, on the directory that the request has read.
///
/// An edit of the directory revokes what was issued under the members that it removes. A request in flight still knows them, so nothing that
/// it issues afterwards is stored, sealed or signed, even if another member has the name by then.
package struct GrantIssuer: Sendable {
    let store: GrantStore
    /// When the directory was read.
    let moment: SealedGrants.Moment

    /// How long an expired grant is distinguished from an unknown one, for error messages about expired tokens.
    static let retention = Duration.seconds(7 * 86_400)

    /// Stores `grant` under `token`, and replaces an earlier grant. When this returns, `find` returns the grant.
    ///
    /// Each call also deletes a few grants that expired long ago, so that the table does not grow without bound.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    package func keep(_ grant: Grant, under token: String) async throws { try await keep([IssuedGrant(grant, token: token)]) }

    /// Stores the grants that one request issues, in one transaction.
    /// - Parameters:
    ///   - spent: the single-use token that the request redeems, if there is one.
    ///   - used: the token that the request redeems and that can be redeemed again, if there is one.
    /// - Returns: whether the redeemed token was still unused and not revoked. If not, nothing is stored.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    @discardableResult
    package func keep(_ issued: [IssuedGrant], spending spent: String? = nil, using used: String? = nil) async throws -> Bool {
        let now = store.clock.now
        let forgotten = now - Self.retention
        return try await store.database.write { [sealed = store.sealed, moment] connection in
            for one in issued { try sealed.check(one.grant, since: moment, in: connection) }
            if let spent {
                let hash = SHA256.hash(spent)
                guard var grant = try GrantRecords.find(hash: hash, in: connection), !grant.isSpent else { return false }
                grant.spend(at: now)
                grant.family = grant.family ?? issued.first?.grant.family
                try GrantRecords.insert(grant, hash: hash, into: connection)
            }
            if let used {
                guard let grant = try GrantRecords.find(hash: SHA256.hash(used), in: connection), !grant.isSpent else { return false }
            }
            try GrantRecords.deleteSome(expiredBefore: forgotten, in: connection)
            for one in issued { try GrantRecords.insert(one.grant, hash: SHA256.hash(one.token), into: connection) }
            return true
        }
    }

    /// Changes the grant of a token in one transaction, if `find` would return it. Concurrent changes are not lost, and a revoked grant
    /// stays revoked.
    /// - Returns: the changed grant; `nil` if there is none.
    /// - Throws: ``GrantRefusal``, or an error of the database.
    @discardableResult
    package func amend(
        _ token: String, kind: Grant.Kind, at provider: String, _ change: @escaping @Sendable (inout Grant) -> Void
    ) async throws -> Grant? {
        try await store.database.write { [clock = store.clock, sealed = store.sealed, moment] connection -> Grant? in
            let hash = SHA256.hash(token)
            guard var grant = try GrantRecords.find(hash: hash, in: connection), grant.kind == kind, grant.provider == provider,
                !grant.isSpent, !clock.hasExpired(grant.expires, issuedAt: grant.issued)
            else { return nil }
            change(&grant)
            try sealed.check(grant, since: moment, in: connection)
            try GrantRecords.insert(grant, hash: hash, into: connection)
            return grant
        }
    }

    /// Returns an access token that contains its grant, so that nothing is stored. It can be found and revoked like a stored one.
    /// - Throws: ``GrantRefusal``, or an error of the random number generator.
    package func seal(_ grant: Grant) throws -> String { try store.sealed.seal(grant, since: moment) }

    /// Checks that the members of what is issued without a grant, such as an ID token, are still those that the request has read.
    ///
    /// A key must be read before the check: a new provider of the same name has other keys.
    /// - Throws: ``GrantRefusal``.
    package func check(provider: String, client: String = "", person: String = "") throws {
        let never = Timestamp(seconds: 0)
        try store.sealed.check(
            Grant(kind: .accessToken, provider: provider, client: client, person: person, issued: never, expires: never), since: moment)
    }
}

extension Cloud {
    /// The directory, and what issues grants on it. Both are read together: no edit comes between them.
    package var issuing: (directory: Directory, issuer: GrantIssuer) {
        withState { state in (state.directory, GrantIssuer(store: grants, moment: grants.sealed.moment)) }
    }

    /// Issues grants on the directory that the caller reads afterwards.
    package var grantIssuer: GrantIssuer { issuing.issuer }
}
