import CSQLite

// Inlinable where they are generic: every query passes here, and across modules nothing else makes them concrete.
extension Connection {
    /// Runs a statement to its end, without looking at rows.
    /// - Returns: how many rows it inserted, changed or deleted.
    @discardableResult
    package func run(_ text: String, _ values: Value...) throws -> Int { try run(text, values) }

    /// Runs a statement. Returns the number of rows that it changed.
    @discardableResult
    package func run(_ text: String, _ values: [Value]) throws -> Int {
        try withStatement(text) { statement in
            try statement.bind(values)
            while try statement.step() != nil {}
            return Int(sqlite3_changes64(handle))
        }
    }

    /// The first row's value, or nil when there is no row.
    @inlinable
    package func first<T>(_ text: String, _ values: Value..., row: (Row) throws -> T) throws -> T? {
        try withStatement(text) { statement in
            try statement.bind(values)
            return try statement.step().map(row)
        }
    }

    /// One value per row, in the statement's order.
    @inlinable
    package func all<T>(_ text: String, _ values: Value..., row: (Row) throws -> T) throws -> [T] {
        try withStatement(text) { statement in
            try statement.bind(values)
            var found: [T] = []
            while let current = try statement.step() { found.append(try row(current)) }
            return found
        }
    }
}
