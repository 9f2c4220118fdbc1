import CSQLite

/// One connection to a database file, with its cache of prepared statements.
///
/// Opened without SQLite's own mutex: at most one thread may be inside it at a time, which its owner (a pool, a write
/// queue) guarantees. It may move between threads. https://sqlite.org/threadsafe.html
package final class Connection {
    /// SQLite's layer over the file system that lets one process at a time have the file. Its connections then agree in memory,
    /// where others make two system calls for every read. https://sqlite.org/vfs.html
    private static let fileSystem = "unix-excl"

    let handle: OpaquePointer
    private var statements: [String: CachedStatement] = [:]
    /// The statements used lately, by where their texts lie: to hash a text of 500 bytes takes as long as half a point read.
    private var recent = RecentStatements()

    /// Opens the file for reading and writing, creating it when there is none.
    /// - Parameter busyTimeout: how long a call waits for a lock that another connection holds; at most 24 days.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, Self.fileSystem)
        guard result == SQLITE_OK, let opened else {
            let error = SQLiteError(code: result, on: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        let milliseconds = busyTimeout.components.seconds.multipliedReportingOverflow(by: 1000)
        sqlite3_busy_timeout(handle, Int32(clamping: milliseconds.overflow ? .max : milliseconds.partialValue))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement.handle) }
        sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open. SQLite itself rolls back on some errors, such as a full disk.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The rowid of the last row this connection inserted.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs every statement of a script; rows are dropped. For pragmas and migrations.
    package func execute(_ script: String) throws(SQLiteError) {
        let result = sqlite3_exec(handle, script, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(code: result, on: handle) }
    }

    /// Lends a statement, prepared once per text and kept; it is reset and its parameters cleared on return.
    /// - Throws: ``SQLiteError`` for a faulty text, or what `body` throws.
    @inlinable
    package func withStatement<T>(_ text: String, _ body: (PreparedStatement) throws -> T) throws -> T {
        let lent = try lend(text)
        defer { takeBack(lent) }
        return try body(lent.statement)
    }

    /// Lends a prepared statement. It must be taken back.
    package func lend(_ text: String) throws(SQLiteError) -> LentStatement {
        if let cached = recent[text], !cached.isLent { return lend(cached) }
        if let cached = statements[text], !cached.isLent {
            recent[text] = cached
            return lend(cached)
        }
        let prepared = CachedStatement(handle: try prepare(text))
        let statement = PreparedStatement(handle: prepared.handle, connection: handle)
        // The text is already running further up the stack: this execution gets a statement of its own.
        guard statements[text] == nil else { return LentStatement(statement: statement, origin: nil) }
        statements[text] = prepared
        return lend(prepared)
    }

    private func lend(_ cached: CachedStatement) -> LentStatement {
        cached.isLent = true
        return LentStatement(statement: PreparedStatement(handle: cached.handle, connection: handle), origin: cached)
    }

    /// Takes a statement back and resets it.
    package func takeBack(_ lent: LentStatement) {
        guard let cached = lent.origin else {
            sqlite3_finalize(lent.statement.handle)
            return
        }
        sqlite3_reset(cached.handle)
        sqlite3_clear_bindings(cached.handle)
        cached.isLent = false
    }

    private func prepare(_ text: String) throws(SQLiteError) -> OpaquePointer {
        var prepared: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard result == SQLITE_OK else { throw SQLiteError(code: result, on: handle) }
        guard let prepared else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty") }
        return prepared
    }
}
