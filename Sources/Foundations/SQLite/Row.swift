import CSQLite

/// The current row of a statement. Columns count from 0 in the order of the `SELECT`.
///
/// It is valid only until the statement steps again or is reset, so it must not leave the closure that receives it.
/// SQLite's own conversions apply to columns: in STRICT tables the stored type is the declared one.
package struct Row {
    let statement: OpaquePointer

    /// Returns whether a column is NULL.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Returns a column as an integer; 0 if it is NULL.
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// Returns a column as an integer, or `nil` if it is NULL.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Returns a column as a floating-point number; 0 if it is NULL.
    package func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    /// Returns a column as text; empty if it is NULL.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Returns a column as text, or `nil` if it is NULL.
    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// Returns a column as bytes; empty if it is NULL.
    package func blob(_ column: Int32) -> [UInt8] { withBlob(column) { [UInt8]($0) } }

    /// Calls `body` with the column's bytes, without copying them. The bytes are valid only until `body` returns.
    package func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
