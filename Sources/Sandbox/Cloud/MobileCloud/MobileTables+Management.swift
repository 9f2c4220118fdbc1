import ObjectStore
import WireFormats

// The management of tables by members of the team. Each call is one transaction.

extension MobileTables {
    /// A table with its name.
    package struct Named: Hashable, Sendable {
        /// The name of the table.
        package var name: String
        /// The table.
        package var table: MobileTable
    }

    /// Returns all tables, sorted by name.
    package func all() async throws -> [Named] { try await database.readInPool { try MobileRows.tables(in: $0) } }

    /// Returns a table.
    /// - Throws: ``MobileTableError/noSuchTable``
    package func table(_ name: String) throws -> MobileTable { try database.read { try MobileRows.table(name, in: $0) } }

    /// Creates a table.
    /// - Throws: ``MobileTableError/tableExists``
    package func create(_ table: MobileTable, named name: String) async throws {
        try await database.write { connection in
            guard try MobileRows.findTable(name, in: connection) == nil else { throw MobileTableError.tableExists }
            try MobileRows.put(table, named: name, in: connection)
        }
    }

    /// Replaces the table with a name, and deletes its rows.
    package func replace(_ name: String, with table: MobileTable) async throws {
        try await database.write { connection in
            try MobileRows.drop(name, in: connection)
            try MobileRows.put(table, named: name, in: connection)
        }
    }

    /// Deletes a table with its rows.
    /// - Throws: ``MobileTableError/noSuchTable``
    package func drop(_ name: String) async throws {
        try await database.write { connection in
            _ = try MobileRows.table(name, in: connection)
            try MobileRows.drop(name, in: connection)
        }
    }

    /// Adds an index to a table.
    /// - Throws: ``MobileTableError``
    package func add(_ index: MobileIndex, to name: String) async throws { try await change(name) { try $0.add(index) } }

    /// Removes an index of a table.
    /// - Throws: ``MobileTableError``
    package func removeIndex(_ index: String, of name: String) async throws { try await change(name) { try $0.removeIndex(index) } }

    private func change(_ name: String, _ body: @escaping @Sendable (inout MobileTable) throws -> Void) async throws {
        try await database.write { connection in
            var table = try MobileRows.table(name, in: connection)
            try body(&table)
            try MobileRows.put(table, named: name, in: connection)
        }
    }
}
