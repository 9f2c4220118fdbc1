import CSQLite

// The generic functions are inlinable: every query uses them, and nothing else specializes them across modules.
extension Connection {
    /// Runs a statement to its end and ignores its rows.
    /// - Returns: the number of rows that it inserted, changed or deleted.
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

    /// Returns the value that `row` makes from the first row, or nil if there is no row.
    @inlinable
    package func first<T>(_ text: String, _ values: Value..., row: (Row) throws -> T) throws -> T? {
        try withStatement(text) { statement in
            try statement.bind(values)
            return try statement.step().map(row)
        }
    }

    /// Returns one value for each row, in the statement's order.
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
