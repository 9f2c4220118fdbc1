import ObjectStore
import SQLite
package import WireFormats

/// The tables in which custom code stores rows. Each request is one transaction.
package struct MobileTables: Sendable {
    let database: Database

    /// The author and the time of a change.
    package struct Author: Sendable {
        /// The user name; `nil` for a caller without one.
        var name: String?
        var time: Timestamp

        package init(name: String?, time: Timestamp) {
            self.name = name
            self.time = time
        }
    }

    /// The rows that a request changed.
    package enum Change: Equatable, Sendable {
        /// The numbers of the rows, in a table with numbered rows.
        case numbered([Int64])
        /// The number of changed rows, in other tables.
        case counted(Int)
    }

    /// Returns the rows of a table, in the order of their keys.
    /// - Parameter holds: whether a row is included.
    /// - Throws: ``MobileTableError/noSuchTable``, and the errors of `check`.
    package func rows(
        of name: String, limit: Int, check: @escaping @Sendable (MobileTable) throws -> Void,
        where holds: @escaping @Sendable (JSONObject) -> Bool
    ) async throws -> [JSONObject] {
        try await database.readInPool { connection in
            try check(try MobileRows.table(name, in: connection))
            return Array(try MobileRows.all(of: name, in: connection).lazy.filter(holds).prefix(limit))
        }
    }

    /// Returns the row with a key; `nil` if there is none.
    /// - Throws: ``MobileTableError``
    package func row(of name: String, key: [String], check: (MobileTable) throws -> Void) throws -> JSONObject? {
        try database.read { connection in
            let table = try MobileRows.table(name, in: connection)
            try check(table)
            return try MobileRows.find(try table.key(named: key), of: name, in: connection)
        }
    }

    /// Adds rows.
    /// - Parameter mayChange: whether a missing table or missing columns are created.
    /// - Throws: ``MobileTableError``; then no row was added.
    package func insert(
        _ rows: [JSONObject], into name: String, mayChange: Bool, as options: MobileTable.Options, by author: Author
    ) async throws -> Change {
        try await change(name, rows, mayChange, options) { table, row, connection in
            try Self.add(row, to: &table, named: name, by: author, in: connection)
        }
    }

    /// Adds rows, or updates existing ones: those with an `id`, or with a primary key that exists.
    /// - Throws: ``MobileTableError``; then nothing was changed.
    package func merge(
        _ rows: [JSONObject], into name: String, mayChange: Bool, as options: MobileTable.Options, by author: Author
    ) async throws -> Change {
        try await change(name, rows, mayChange, options) { table, row, connection in
            let key: String
            if table.isNumbered {
                guard let id = row["id"], id != .null else { return try Self.add(row, to: &table, named: name, by: author, in: connection) }
                key = try table.key(named: [id.keyText ?? ""])
            } else if !table.primaryKeys.isEmpty {
                key = try table.key(of: row)
            } else {
                return try Self.add(row, to: &table, named: name, by: author, in: connection)
            }
            guard var known = try MobileRows.find(key, of: name, in: connection) else {
                guard !table.isNumbered else { throw MobileTableError.noSuchRow }
                return try Self.add(row, to: &table, named: name, by: author, in: connection)
            }
            for (column, value) in row.members where MobileTable.Predefined(rawValue: column).map(table.predefined.contains) != true {
                known[column] = value
            }
            try table.checkComplete(known)
            Self.stamp(&known, [.modifiedBy, .modifiedOn], of: table, by: author)
            try MobileRows.put(known, key: key, of: name, in: connection)
            return known["id"]?.integerValue
        }
    }

    /// Deletes the row with a key.
    /// - Throws: ``MobileTableError``
    package func delete(from name: String, key values: [String]) async throws -> Change {
        try await database.write { connection in
            let table = try MobileRows.table(name, in: connection)
            let key = try table.key(named: values)
            let known = try MobileRows.find(key, of: name, in: connection)
            try MobileRows.delete(key, of: name, in: connection)
            return table.isNumbered ? .numbered(known?["id"]?.integerValue.map { [$0] } ?? []) : .counted(known == nil ? 0 : 1)
        }
    }

    /// Runs `body` for each row, and stores the table if it changed.
    /// - Parameter body: returns the row's number, if it has one.
    private func change(
        _ name: String, _ rows: [JSONObject], _ mayChange: Bool, _ options: MobileTable.Options,
        _ body: @escaping @Sendable (inout MobileTable, JSONObject, Connection) throws -> Int64?
    ) async throws -> Change {
        guard rows.allSatisfy({ Set($0.names) == Set(rows[0].names) }) else { throw MobileTableError.differentColumns }
        return try await database.write { connection in
            let known = try MobileRows.findTable(name, in: connection)
            guard known != nil || mayChange else { throw MobileTableError.noSuchTable }
            var table = try known ?? MobileTable(options)
            var numbers: [Int64] = []
            for row in rows {
                try table.accommodate(row, mayChange: mayChange)
                if let number = try body(&table, row, connection) { numbers.append(number) }
            }
            if table != known { try MobileRows.put(table, named: name, in: connection) }
            return table.isNumbered ? .numbered(numbers) : .counted(rows.count)
        }
    }

    private static func add(
        _ row: JSONObject, to table: inout MobileTable, named name: String, by author: Author, in connection: Connection
    ) throws -> Int64? {
        var row = row
        for column in table.predefined { row[column.rawValue] = nil }
        try table.checkComplete(row)
        var number: Int64?
        let key: String
        if table.primaryKeys.isEmpty {
            let taken = table.takeNumber()
            key = MobileTable.key(number: taken)
            if table.isNumbered {
                number = taken
                row["id"] = .integer(taken)
            }
        } else {
            key = try table.key(of: row)
            guard try MobileRows.find(key, of: name, in: connection) == nil else { throw MobileTableError.exists }
        }
        stamp(&row, [.createdBy, .createdOn, .modifiedBy, .modifiedOn], of: table, by: author)
        try MobileRows.put(row, key: key, of: name, in: connection)
        return number
    }

    private static func stamp(
        _ row: inout JSONObject, _ columns: [MobileTable.Predefined], of table: MobileTable, by author: Author
    ) {
        for column in columns where table.predefined.contains(column) {
            let isName = column == .createdBy || column == .modifiedBy
            row[column.rawValue] = isName ? author.name.map(JSONValue.string) ?? .null : .string(author.time.iso8601Milliseconds)
        }
    }
}

extension Cloud {
    /// The tables of the mobile cloud's database.
    package var mobileTables: MobileTables { MobileTables(database: database) }
}
