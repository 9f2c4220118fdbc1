package import Directory
import ObjectStore
import WireFormats

extension Cloud {
    /// Performs an operation on the directory as ``edit(_:)`` does, and throws its refusal in the words of a face.
    package func edit<T: Sendable, Refusal: Error>(
        saying words: (Refusal) -> any Error, _ operation: (inout Directory) throws(Refusal) -> T
    ) async throws -> T {
        try await edit { directory in
            do throws(Refusal) { return try operation(&directory) } catch { throw words(error) }
        }
    }

    /// Changes the directory: `change` gets a copy to work on, and what it put and removed is written and seen as a whole or, where
    /// it throws, not at all. Edits follow one another, so that what a change finds is what it changes. The next request sees it.
    ///
    /// The same transaction revokes what was issued under each identity provider, client and person that the change removes, and removes
    /// the signing keys of the providers.
    package func edit<T: Sendable>(_ change: (inout Directory) throws -> T) async throws -> T {
        try await edits.pass {
            var draft = directory
            draft.forgetChanges()
            let result = try change(&draft)
            let changes = draft.changes
            guard !changes.isEmpty else { return result }
            let removed = draft.removedMembers(since: directory)
            draft.forgetChanges()
            let edited = draft
            try await database.write { [grants] connection in
                try DirectoryRecords.write(changes, into: connection)
                for provider in removed.providers { try SigningKeyRing.remove(of: provider, in: connection) }
                return try grants.revoke(issuedUnder: removed, in: connection)
            } committed: { [self] marks in
                withState { state in
                    // Together, so that ``Cloud/issuing`` has the marks of its directory.
                    grants.sealed.note(marks)
                    state.directory = edited
                    for provider in removed.providers { state.signingKeys[provider] = nil }
                }
            }
            return result
        }
    }
}
