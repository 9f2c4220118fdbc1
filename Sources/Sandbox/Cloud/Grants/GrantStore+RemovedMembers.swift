import Directory
import SQLite
import WireFormats

extension GrantStore {
    /// Revokes what was issued under the members that an edit of the directory removes: codes, tokens, browser sessions, consents, pending
    /// forms and requests.
    /// - Parameter connection: the connection of the edit's transaction.
    /// - Returns: the marks on sealed tokens, for ``SealedGrants/note(_:)`` after the commit.
    func revoke(issuedUnder removed: RemovedMembers, in connection: Connection) throws -> [(name: String, number: Int64)] {
        var marks: [SealedGrants.Mark] = []
        for provider in removed.providers {
            try GrantRecords.delete(provider: provider, in: connection)
            marks.append(.provider(provider))
        }
        for (provider, clients) in removed.clients {
            try GrantRecords.delete(provider: provider, clients: clients, in: connection)
            marks += clients.map { .client($0, provider: provider) }
        }
        for (provider, clients) in removed.registrations {
            try GrantRecords.delete(provider: provider, registrationsOf: clients, in: connection)
        }
        for (provider, people) in removed.people {
            try GrantRecords.delete(provider: provider, people: people, in: connection)
            marks += people.map { .personAtAllClients($0, provider: provider) }
        }
        return try marks.map { try sealed.write($0, into: connection) }
    }
}
