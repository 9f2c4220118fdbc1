import CSQLite

/// A refusal by the SQLite library: result code, extended code, and the library's own message.
/// Codes: https://sqlite.org/rescode.html
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code, such as 787 (`SQLITE_CONSTRAINT_FOREIGNKEY`).
    package let extendedCode: Int32
    /// The library's message; English, without a full stop.
    package let message: String

    package init(extendedCode: Int32, message: String) {
        self.extendedCode = extendedCode
        self.message = message
    }

    /// The primary result code, such as 19 (`SQLITE_CONSTRAINT`).
    package var code: Int32 { extendedCode & 0xff }

    /// A row refers to a parent that does not exist, or a parent with children was deleted.
    package var isForeignKeyViolation: Bool { extendedCode == foreignKeyViolation }

    /// The file holds something else than a database.
    package var isNotADatabase: Bool { code == SQLITE_NOTADB }

    /// The file cannot be opened or written with the rights of this process.
    package var isAccessRefusal: Bool { [SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH].contains(code) }

    package var description: String { "\(message) (SQLite code \(extendedCode))" }

    /// SQLite has ended a transaction by itself, as it does when the disk is full; the write that met this knows why.
    package static let transactionLost = SQLiteError(
        extendedCode: SQLITE_ABORT, message: "the transaction was rolled back by a failure of another write in it")

    /// Takes code and message from the connection where a call has just failed.
    init(code: Int32, on handle: OpaquePointer?) {
        guard let handle else {
            self.init(extendedCode: code, message: String(cString: sqlite3_errstr(code)))
            return
        }
        let extended = sqlite3_extended_errcode(handle)
        self.init(extendedCode: extended == SQLITE_OK ? code : extended, message: String(cString: sqlite3_errmsg(handle)))
    }
}

// The header spells it as an expression, which Swift does not import.
private let foreignKeyViolation = SQLITE_CONSTRAINT | (3 << 8)
