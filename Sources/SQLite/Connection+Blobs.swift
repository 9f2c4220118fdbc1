import CSQLite

extension Connection {
    /// Reads a run of a blob straight into memory, without passing the whole of it through a row.
    /// https://sqlite.org/c3ref/blob_open.html
    /// - Parameters:
    ///   - offset: where in the blob the run begins.
    ///   - destination: what is filled, to its end.
    /// - Throws: ``SQLiteError`` also when there is no such row or the blob is too short.
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
