import CSQLite

/// An error of the SQLite library: result code, extended code, and the library's own message.
/// Codes: https://sqlite.org/rescode.html
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code, such as 787 (`SQLITE_CONSTRAINT_FOREIGNKEY`).
    package let extendedCode: Int32
    /// The library's message, in English and without a full stop.
    package let message: String
    /// Whether the disk is full, and not only the file as long as it may become.
    package let isDiskFull: Bool

    /// - Parameter isDiskFull: whether the disk is full.
    package init(extendedCode: Int32, message: String, isDiskFull: Bool = false) {
        self.extendedCode = extendedCode
        self.message = message
        self.isDiskFull = isDiskFull
    }

    /// The primary result code, such as 19 (`SQLITE_CONSTRAINT`).
    package var code: Int32 { extendedCode & 0xff }

    /// Whether a row refers to a parent that does not exist, or a parent with children was deleted.
    package var isForeignKeyViolation: Bool { extendedCode == foreignKeyViolation }

    /// Whether the file has its maximum size, or the disk is full.
    package var isFull: Bool { code == SQLITE_FULL }

    /// Whether the file is not a database.
    package var isNotADatabase: Bool { code == SQLITE_NOTADB }

    /// Whether this process lacks the permissions to open or write the file.
    package var isAccessRefusal: Bool { [SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH].contains(code) }

    package var description: String { "\(message) (SQLite code \(extendedCode))" }

    /// SQLite rolled back a transaction by itself, as it does when the disk is full. The write that failed has the original error.
    package static let transactionLost = SQLiteError(
        extendedCode: SQLITE_ABORT, message: "the transaction was rolled back by a failure of another write in it")

    /// Reads code and message from the connection on which a call has just failed.
    init(code: Int32, on handle: OpaquePointer?) {
        guard let handle else {
            self.init(extendedCode: code, message: String(cString: sqlite3_errstr(code)))
            return
        }
        let extended = sqlite3_extended_errcode(handle)
        let message = String(cString: sqlite3_errmsg(handle))
        let isDiskFull = code & 0xff == SQLITE_FULL && FreeSpace.isDiskFull(of: handle)
        self.init(extendedCode: extended == SQLITE_OK ? code : extended, message: message, isDiskFull: isDiskFull)
    }
}

// SQLite's header defines this constant as an expression, which Swift does not import.
private let foreignKeyViolation = SQLITE_CONSTRAINT | (3 << 8)
