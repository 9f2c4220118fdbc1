import CSQLite

extension Connection {
    /// Reads part of a blob straight into memory, without loading the whole blob into a row.
    /// https://sqlite.org/c3ref/blob_open.html
    /// - Parameters:
    ///   - offset: the byte of the blob at which to start.
    ///   - destination: the buffer to fill completely.
    /// - Throws: ``SQLiteError``, also if there is no such row or the blob is too short.
    package func readBlob(
        table: String, column: String, row: Int64, from offset: Int, into destination: UnsafeMutableRawBufferPointer
    ) throws(SQLiteError) {
        var blob: OpaquePointer?
        let opened = sqlite3_blob_open(handle, "main", table, column, row, 0, &blob)
        defer { sqlite3_blob_close(blob) }
        guard opened == SQLITE_OK else { throw SQLiteError(code: opened, on: handle) }
        let read = sqlite3_blob_read(
            blob, destination.baseAddress, Int32(clamping: destination.count), Int32(clamping: offset))
        guard read == SQLITE_OK else { throw SQLiteError(code: read, on: handle) }
    }
}
