import CSQLite

/// A prepared statement, borrowed from its connection; see ``Connection/withStatement(_:_:)``.
///
/// Parameters count from 1, as in SQL (`?1`). Must not leave the closure that receives it.
package struct PreparedStatement {
    let handle: OpaquePointer
    let connection: OpaquePointer

    /// Binds one parameter. `.bytes` are not copied and must stay valid until the statement is reset.
    package func bind(_ value: Value, at index: Int32) throws(SQLiteError) {
        let result =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
            case .real(let real): sqlite3_bind_double(handle, index, real)
            case .text(var text):
                text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        virga_bind_text_copy(handle, index, $0.baseAddress, UInt64($0.count))
                    }
                }
            case .blob(let bytes):
                bytes.withUnsafeBytes { virga_bind_blob_copy(handle, index, $0.baseAddress, UInt64($0.count)) }
            case .bytes(let bytes):
                virga_bind_blob_in_place(handle, index, bytes.baseAddress, UInt64(bytes.count))
            }
        guard result == SQLITE_OK else { throw SQLiteError(code: result, on: connection) }
    }

    /// Binds parameters in order, starting with the first.
    package func bind(_ values: [Value]) throws(SQLiteError) {
        var index: Int32 = 1
        for value in values {
            try bind(value, at: index)
            index += 1
        }
    }

    /// Moves to the next row. Returns nil if there is none.
    package func step() throws(SQLiteError) -> Row? {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return Row(statement: handle)
        case SQLITE_DONE: return nil
        case let code: throw SQLiteError(code: code, on: connection)
        }
    }

    /// Ends the execution, so that parameters can be bound again. Bound values stay.
    package func reset() {
        // The result repeats the error of the last step, which that step has already thrown.
        sqlite3_reset(handle)
    }
}

/// A borrowed statement and the cache entry to which it returns.
package struct LentStatement {
    /// The statement.
    package let statement: PreparedStatement
    /// Nothing for a statement that ends with its execution.
    let origin: CachedStatement?
}

final class CachedStatement {
    let handle: OpaquePointer
    var isLent = false

    init(handle: OpaquePointer) { self.handle = handle }
}
