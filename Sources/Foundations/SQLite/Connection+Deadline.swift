import CSQLite

extension Connection {
    /// How many instructions of SQLite's virtual machine run between two checks of the time: about a tenth of a millisecond.
    private static let instructionsPerCheck: Int32 = 10_000

    /// Runs `body`, in which a statement that still runs at the deadline is interrupted.
    /// (https://sqlite.org/c3ref/progress_handler.html)
    /// - Throws: ``SQLiteError`` with ``SQLiteError/isInterruption``, and the errors of `body`.
    package func withDeadline<T>(_ deadline: ContinuousClock.Instant, _ body: () throws -> T) throws -> T {
        try withUnsafePointer(to: deadline) { pointer in
            sqlite3_progress_handler(
                handle, Self.instructionsPerCheck,
                { context in
                    guard let deadline = context?.assumingMemoryBound(to: ContinuousClock.Instant.self).pointee else { return 0 }
                    return ContinuousClock.now >= deadline ? 1 : 0
                }, UnsafeMutableRawPointer(mutating: pointer))
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return try body()
        }
    }
}

extension SQLiteError {
    /// Whether a deadline interrupted the statement.
    package var isInterruption: Bool { code == SQLITE_INTERRUPT }
}
