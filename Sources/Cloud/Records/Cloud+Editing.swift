package import Directory
import ObjectStore

extension Cloud {
    /// Changes the directory in one transaction.
    ///
    /// `change` modifies a copy. Its changes are written and published together, or not at all if it throws. Edits run one after another,
    /// so none overwrites another. The next request sees the new directory.
    package func edit<T: Sendable>(_ change: (inout Directory) throws -> T) async throws -> T {
        try await edits.pass {
            var draft = directory
            draft.forgetChanges()
            let result = try change(&draft)
            let changes = draft.changes
            guard !changes.isEmpty else { return result }
            draft.forgetChanges()
            let edited = draft
            try await database.write { connection in
                for change in changes {
                    switch change {
                    case .put(let record): try DirectoryRecords.write(record, into: connection)
                    case .remove(let id): try DirectoryRecords.remove(id, from: connection)
                    }
                }
            } committed: { _ in
                self.withState { $0.directory = edited }
            }
            return result
        }
    }
}
