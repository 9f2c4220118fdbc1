import CSQLite

/// The current row of a statement; columns count from 0 in the order of the `SELECT`.
///
/// Valid only until the statement steps again or is reset, so it never leaves the closure that receives it.
/// Columns are converted as SQLite converts them: in STRICT tables the stored type is the declared one.
package struct Row {
    let statement: OpaquePointer

    /// Whether a column has no value.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The column as an integer; 0 when it is NULL.
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// The integer in a column, or `nil` if it has no value.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The number in a column.
    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    /// The column as text; empty when it is NULL.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The text in a column, or `nil` if it has no value.
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// The column as bytes; empty when it is NULL.
    package func blob(_ column: Int32) -> [UInt8] { withBlob(column) { [UInt8]($0) } }

    /// Lends the column's bytes without copying them; they are gone when `body` returns.
    package func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
