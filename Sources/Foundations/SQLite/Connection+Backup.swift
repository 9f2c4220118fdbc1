import CSQLite

extension Connection {
    /// Writes a copy of the database, as this connection sees it now, into a new file. Other connections can write meanwhile.
    /// (https://sqlite.org/c3ref/backup_finish.html)
    ///
    /// The copy is closed when this returns and can be moved or copied as a file.
    /// - Parameter path: a file that does not exist yet.
    /// - Throws: ``SQLiteError``; a part of the file may be left then.
    package func copy(to path: String) throws(SQLiteError) {
        let copy = try Connection(path: path)
        // Nothing reads the file before it is complete.
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteError(code: sqlite3_errcode(copy.handle), on: copy.handle)
        }
        // All pages in one step, and so in one read transaction.
        sqlite3_backup_step(backup, -1)
        let result = sqlite3_backup_finish(backup)
        guard result == SQLITE_OK else { throw SQLiteError(code: result, on: copy.handle) }
    }
}
