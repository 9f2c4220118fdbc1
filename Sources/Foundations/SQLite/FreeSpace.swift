import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The reason why SQLite finds no space. It returns `SQLITE_FULL` for a full disk and for a file that may not grow.
enum FreeSpace {
    /// A disk with less space in bytes is full: SQLite gives back nothing of what it could not write completely.
    private static let least: UInt64 = 1 << 20
    /// The smallest default of `max_page_count` in any version: the file has no limit of ours.
    private static let unlimited: Int64 = 1_073_741_823

    /// Returns whether the disk of a database is full, after a write that failed with `SQLITE_FULL`.
    static func isDiskFull(of handle: OpaquePointer) -> Bool {
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return false }
        if let pages = maximumPages(of: handle), pages >= unlimited { return true }
        var status = statvfs()
        guard statvfs(name, &status) == 0 else { return false }
        let free = geteuid() == 0 ? status.f_bfree : status.f_bavail
        return UInt64(free) * UInt64(status.f_frsize) < least
    }

    private static func maximumPages(of handle: OpaquePointer) -> Int64? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, "PRAGMA max_page_count", -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : nil
    }
}
