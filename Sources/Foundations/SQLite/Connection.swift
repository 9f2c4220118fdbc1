import CSQLite

/// One connection to a database file, with a cache of prepared statements.
///
/// It is opened without SQLite's own mutex: at most one thread may use it at a time. Its owner (a pool or a write queue) guarantees
/// that. It may move between threads. https://sqlite.org/threadsafe.html
package final class Connection {
    /// The SQLite VFS that gives one process exclusive use of the file. Its connections coordinate in memory,
    /// where other VFSes make two system calls for every read. https://sqlite.org/vfs.html
    private static let fileSystem = "unix-excl"

    /// Whether SQLite keeps no statistics of its memory, which is set once for the process, before its first use. With statistics, every
    /// allocation takes a mutex that all threads share. https://sqlite.org/c3ref/c_config_covering_index_scan.html
    private static let hasNoStatistics = virga_disable_memory_statistics() == SQLITE_OK

    let handle: OpaquePointer
    private var statements: [String: CachedStatement] = [:]
    /// The statements used recently, by the address of their text. Hashing a text of 500 bytes takes as long as half a point read.
    private var recent = RecentStatements()

    /// Opens the file for reading and writing, and creates it if it does not exist.
    /// - Parameter busyTimeout: how long a call waits for a lock that another connection holds; at most 24 days.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        _ = Self.hasNoStatistics
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, Self.fileSystem)
        guard result == SQLITE_OK, let opened else {
            let error = SQLiteError(code: result, on: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        virga_sqlite_distrust_schema(opened)
        let milliseconds = busyTimeout.components.seconds.multipliedReportingOverflow(by: 1000)
        sqlite3_busy_timeout(handle, Int32(clamping: milliseconds.overflow ? .max : milliseconds.partialValue))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement.handle) }
        sqlite3_close_v2(handle)
    }

    /// Leaves the log as it is when the last connection is closed.
    /// (https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfignockptonclose)
    package func skipCheckpointAtClose() { virga_sqlite_skip_checkpoint_at_close(handle) }

    /// Whether a transaction is open. After some errors, such as a full disk, SQLite rolls back by itself.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The number of rows that this connection has inserted, changed and deleted.
    package var changeCount: Int64 { sqlite3_total_changes64(handle) }

    /// The rowid of the last row that this connection inserted.
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs every statement of a script and ignores the rows. For pragmas and migrations.
    package func execute(_ script: String) throws(SQLiteError) {
        let result = sqlite3_exec(handle, script, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLiteError(code: result, on: handle) }
    }

    /// Calls `body` with a statement. It is prepared once per text and cached; afterwards it is reset and its parameters are cleared.
    /// - Throws: ``SQLiteError`` if the text is invalid, or the error that `body` throws.
    @inlinable
    package func withStatement<T>(_ text: String, _ body: (PreparedStatement) throws -> T) throws -> T {
        let lent = try lend(text)
        defer { takeBack(lent) }
        return try body(lent.statement)
    }

    /// Returns a prepared statement for exclusive use. The caller must return it with ``takeBack(_:)``.
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

    /// Resets a statement and returns it to the cache.
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
