package import ObjectStore

extension Cloud {
    /// Writes a copy of the sandbox into a new file, and begins an epoch: what was issued before is good in the sandbox and in every copy of
    /// the snapshot, and what is issued afterwards is good in the sandbox alone.
    ///
    /// The copy has everything in the database: objects, directory, grants, keys, clock. It has neither the journal nor the rules for errors on
    /// demand. Requests go on meanwhile; edits of the directory wait.
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

    /// Writes what is kept in memory only, before the sandbox is evicted.
    package func rest() async { try? await keepKeyUses() }

    /// Begins an epoch. What was issued in the earlier ones remains good.
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
