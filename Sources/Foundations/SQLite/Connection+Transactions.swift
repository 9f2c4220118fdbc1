extension Connection {
    /// Runs `body` in a transaction that takes the write lock immediately. If `body` throws, everything is rolled back.
    package func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN IMMEDIATE")
        return try commitOrRollBack(body)
    }

    /// Runs `body` against one unchanging state of the database. This is cheaper than many separate reads.
    package func readTransaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN")
        return try commitOrRollBack(body)
    }

    /// Runs `body` in a savepoint of the open transaction. If `body` throws, only its own changes are undone.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        try run("SAVEPOINT step")
        do {
            let value = try body()
            try run("RELEASE step")
            return value
        } catch {
            if isInTransaction {
                try run("ROLLBACK TO step")
                try run("RELEASE step")
            }
            throw error
        }
    }

    private func commitOrRollBack<T>(_ body: () throws -> T) throws -> T {
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Rolls back the open transaction, if there is one.
    package func rollBack() {
        // A rollback fails only if SQLite has already rolled back by itself.
        if isInTransaction { try? execute("ROLLBACK") }
    }
}
