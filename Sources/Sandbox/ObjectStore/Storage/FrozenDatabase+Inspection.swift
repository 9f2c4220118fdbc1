import SQLite
import WireFormats

/// A database file from outside can be made by hand. Opening it as one of our own would run statements that it contains, and calculate with
/// numbers that no sandbox has.
extension FrozenDatabase {
    /// The time that any file may take, and the number of bytes for which it may take a second more. An endless query ends then.
    private static let timeout = Duration.seconds(20)
    private static let bytesPerSecond: Int64 = 20 << 20

    /// Checks that the file has exactly the tables of its version, that SQLite finds it undamaged, and that its rows can be rows of a sandbox.
    ///
    /// Takes as long as reading the whole file. Call it on a thread that serves no requests.
    /// - Throws: ``StorageError``: `foreignFile`, `otherVersion`, `otherTables`, `otherRows` or `sqlite`.
    package func inspect() throws(StorageError) {
        do {
            let connection = try Connection(path: path)
            // The file stays as it is.
            connection.skipCheckpointAtClose()
            try connection.withDeadline(ContinuousClock.now + Self.timeout + .seconds(size / Self.bytesPerSecond)) {
                // Rows that refer to bodies are checked by searches, for which the default cache is small.
                try connection.execute("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA cache_size = -8192")
                let tables = try Schema.cloud.checkExactly(connection)
                try connection.checkIntegrity()
                for table in tables { try connection.checkNumbers(of: table) }
                for statement in InspectionStatement.allCases {
                    guard let table = statement.table, tables.contains(table) else { continue }
                    if try connection.finds(statement.rawValue) { throw RowFault(table: table) }
                }
            }
        } catch let fault as RowFault {
            throw .otherRows(table: fault.table)
        } catch let error as SQLiteError where error.isInterruption {
            throw .sqlite(SQLiteError(extendedCode: error.extendedCode, message: "checking it takes too long"))
        } catch {
            throw StorageError(error, path: path)
        }
    }
}

/// A row that no sandbox has.
private struct RowFault: Error {
    var table: String
}

extension Connection {
    /// Checks the structures of the file, the types of the columns, the indexes, and the references between tables.
    fileprivate func checkIntegrity() throws {
        // Only the first fault: in a damaged tree the search for more may not end.
        let report = try first("PRAGMA integrity_check(1)") { $0.text(0) } ?? ""
        guard report == "ok" else { throw SQLiteError(extendedCode: 11, message: "it is damaged: \(report)") }
        if let table = try first("PRAGMA foreign_key_check", row: { $0.text(0) }) { throw RowFault(table: table) }
    }

    /// Checks the integers of a table, and the numbers of its rows.
    fileprivate func checkNumbers(of table: String) throws {
        let ranges = StoredRanges.byTable[table] ?? [:]
        let columns = try all(InspectionStatement.columns.rawValue, .text(table)) { $0.text(0) }
        var conditions = columns.compactMap { column in
            ranges[column].map { range in
                // Columns of SQLite's own tables have no type.
                "(\(column) IS NOT NULL AND typeof(\(column)) <> 'integer') OR \(Self.isOutside(range, column))"
            }
        }
        if try first(InspectionStatement.withRowNumbers.rawValue, .text(table), row: { _ in true }) ?? false {
            conditions.append(Self.isOutside(StoredRanges.rows, "rowid"))
        }
        if !conditions.isEmpty, try finds(InspectionStatement.rows(of: table, where: conditions)) { throw RowFault(table: table) }
    }

    private static func isOutside(_ range: ClosedRange<Int64>, _ column: String) -> String {
        "\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }

    /// Returns whether a statement has a row.
    fileprivate func finds(_ statement: String) throws -> Bool { try first(statement, row: { _ in true }) ?? false }
}
