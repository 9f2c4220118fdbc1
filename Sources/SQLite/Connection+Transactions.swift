extension Connection {
    /// Runs `body` in a transaction that takes the write lock at once; an error rolls everything back.
    package func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN IMMEDIATE")
        return try commitOrRollBack(body)
    }

    /// Runs `body` against one unchanging state of the database. Cheaper than single reads when there are many.
    package func readTransaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN")
        return try commitOrRollBack(body)
    }

    /// Runs `body` inside the open transaction; an error undoes only what `body` did.
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

    /// Ends the open transaction, if any, without its changes.
    package func rollBack() {
        // A rollback fails only when SQLite has already rolled back by itself.
        if isInTransaction { try? execute("ROLLBACK") }
    }
}
