import ObjectStore

// What members of the team do with tables. Each call is one transaction.

extension MobileTables {
    /// A table with its name.
    package struct Named: Hashable, Sendable {
        /// The name of the table.
        package var name: String
        /// The table.
        package var table: MobileTable
    }

    /// In the order of their names.
    package func all() async throws -> [Named] { try await database.readInPool { try MobileRows.tables(in: $0) } }

    /// - Throws: ``MobileTableError/noSuchTable``
    package func table(_ name: String) throws -> MobileTable { try database.read { try MobileRows.table(name, in: $0) } }

    /// - Throws: ``MobileTableError/tableExists``
    package func create(_ table: MobileTable, named name: String) async throws {
        try await database.write { connection in
            guard try MobileRows.findTable(name, in: connection) == nil else { throw MobileTableError.tableExists }
            try MobileRows.put(table, named: name, in: connection)
        }
    }

    /// Makes a table in the place of one that has the name, whose rows go.
    package func replace(_ name: String, with table: MobileTable) async throws {
        try await database.write { connection in
            try MobileRows.drop(name, in: connection)
            try MobileRows.put(table, named: name, in: connection)
        }
    }

    /// - Throws: ``MobileTableError/noSuchTable``
    package func drop(_ name: String) async throws {
        try await database.write { connection in
            _ = try MobileRows.table(name, in: connection)
            try MobileRows.drop(name, in: connection)
        }
    }

    /// - Throws: ``MobileTableError``
    package func add(_ index: MobileIndex, to name: String) async throws { try await change(name) { try $0.add(index) } }

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
