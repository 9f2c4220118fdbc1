package import ObjectStore
import WireFormats

extension Cloud {
    /// Writes a copy of the sandbox into a new file, and begins an epoch. Credentials that were issued before are valid in the sandbox and in
    /// every copy of the snapshot. Those that are issued afterwards are valid only in the sandbox.
    ///
    /// The copy contains the whole database: objects, directory, grants, keys and clock. It contains neither the journal nor the rules for
    /// errors on demand. Requests continue in the meantime; edits of the directory wait.
    /// - Parameter path: a file that does not exist yet.
    /// - Throws: `StorageError` or `SQLiteError`; the file is removed then.
    package func snapshot(to path: String) async throws -> FrozenDatabase {
        try? await keepKeyUses()
        return try await edits.pass {
            let snapshot = try await database.copy(to: path)
            try await beginEpoch()
            return snapshot
        }
    }

    /// Writes data that is only in memory, before the sandbox is evicted.
    package func rest() async { try? await keepKeyUses() }

    /// Begins an epoch. Credentials of the earlier epochs remain valid.
    func beginEpoch() async throws {
        try await database.write { [self] connection in
            // The one in memory knows in which epochs something was issued.
            let known = withState(\.generation)
            let stored = try Generation.stored(in: connection) ?? known
            let generation = try (stored.number == known.number && stored.epochs == known.epochs ? known : stored).withNewEpoch()
            try generation.store(in: connection)
            return generation
        } committed: { [self] generation in
            grants.sealed.change(key: generation.sealingKey)
            withState { state in
                state.generation = generation
                // They are read again under the names of the new epoch.
                state.signingKeys = [:]
                state.certificates = [:]
            }
        }
    }
}
