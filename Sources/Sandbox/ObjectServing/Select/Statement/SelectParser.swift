import WireFormats

/// Parses a statement `SELECT … FROM … WHERE … LIMIT …`, without joins, groups and orders.
/// (OSS User Guide, "Query objects". S3 User Guide, "SQL reference for Amazon S3 Select".)
package struct SelectParser {
    /// The maximum numbers of constants and columns. (OSS User Guide, "Query objects", limits of a statement.)
    static let (mostConstants, mostColumns) = (1024, 1000)
    /// The maximum nesting depth of parentheses, and the maximum number of operators other than AND and OR. They limit the depth of
    /// evaluation.
    static let (deepest, mostOperators) = (100, 500)

    let tokens: [SelectLexer.Token]
    let dialect: SelectDialect
    var index = 0
    var (depth, operators) = (0, 0)
    /// The names of the table: `ossobject` or `s3object`, and the alias in FROM.
    var tables: Set<String>
    /// The aggregates of an S3 statement so far; `nil` where none are allowed.
    var aggregates: [SelectStatement.Aggregate]?

    /// Parses a statement.
    /// - Throws: ``SelectRefusal`` for an invalid statement.
    package static func statement(_ text: String, _ dialect: SelectDialect = .oss) throws(SelectRefusal) -> SelectStatement {
        guard text.utf8.count <= dialect.longest else { throw SelectRefusal(.invalidSQLParameter, "The SQL is too long.", .tooLong) }
        var parser = SelectParser(tokens: try SelectLexer.tokens(of: text, dialect), dialect: dialect)
        return try dialect.isOSS ? parser.statement() : parser.s3Statement()
    }

    private init(tokens: [SelectLexer.Token], dialect: SelectDialect) {
        self.tokens = tokens
        self.dialect = dialect
        tables = [dialect.table]
    }

    private mutating func statement() throws(SelectRefusal) -> SelectStatement {
        try expect(word: "select")
        let list = index
        // FROM is parsed before the columns, because they can refer to its alias.
        while index < tokens.count, !isWord("from") { index += 1 }
        try expect(word: "from")
        let source = try source()
        let rest = index
        index = list
        var statement = SelectStatement(output: try output(), source: source)
        guard isWord("from") else { throw .syntax("FROM is expected after the columns.") }
        index = rest
        if skip(word: "where") { statement.condition = try disjunction() }
        if skip(word: "limit") {
            guard case .number(let text)? = next(), let limit = Int(digits: text), limit > 0 else {
                throw SelectRefusal(.sqlInvalidLimitValue, "LIMIT is a whole number above 0.")
            }
            statement.limit = limit
        }
        guard index == tokens.count else { throw .syntax("\(described) is not expected here.") }
        return statement
    }

    private mutating func source() throws(SelectRefusal) -> [SelectStatement.Step] {
        guard case .word(let table)? = next(), table.lowercased() == "ossobject" else { throw .syntax("The table is ossobject.") }
        let steps = try steps(mayBeWild: true)
        let isNamed = skip(word: "as")
        if case .word(let name)? = peek, isNamed || !["where", "limit"].contains(name.lowercased()) {
            index += 1
            tables.insert(name.lowercased())
        }
        return steps
    }

    private mutating func output() throws(SelectRefusal) -> SelectStatement.Output {
        if skip("*") { return .everything }
        var columns: [(column: SelectStatement.Column, alias: String?)] = []
        var aggregates: [SelectStatement.Aggregate] = []
        var results: [SelectStatement.NamedExpression] = []
        repeat {
            if let aggregate = try aggregate() {
                results.append((expression: .aggregate(aggregates.count), alias: try alias()))
                aggregates.append(aggregate)
            } else {
                let column = try column()
                columns.append((column: column, alias: try alias()))
            }
        } while skip(",")
        guard columns.isEmpty || aggregates.isEmpty else { throw .syntax("Columns and aggregates exclude each other.") }
        guard columns.count + aggregates.count <= Self.mostColumns else { throw .syntax("There are too many columns.") }
        return aggregates.isEmpty ? .columns(columns) : .summary(results, of: aggregates)
    }

    /// Parses aliases. OSS accepts several, of which the last one applies.
    private mutating func alias() throws(SelectRefusal) -> String? {
        var alias: String?
        while skip(word: "as") { alias = try name() }
        return alias
    }

    private mutating func aggregate() throws(SelectRefusal) -> SelectStatement.Aggregate? {
        guard case .word(let word)? = peek, let function = SelectStatement.Aggregate.Function(rawValue: word.lowercased()),
            index + 1 < tokens.count, tokens[index + 1] == .symbol("(")
        else { return nil }
        index += 2
        let argument = try function == .count && skip("*") ? nil : sum()
        try expect(")")
        return SelectStatement.Aggregate(function: function, argument: argument)
    }

    mutating func column() throws(SelectRefusal) -> SelectStatement.Column {
        let first = try name()
        var path = [SelectStatement.Step.name(first)] + (try steps(mayBeWild: false))
        if path.count > 1, tables.contains(first.lowercased()) { path.removeFirst() }
        let column = SelectStatement.Column(path: path)
        if let number = column.number, !(1...Self.mostColumns).contains(number) {
            throw SelectRefusal(.sqlInvalidColumnIndex, "Columns are counted from 1 to \(Self.mostColumns).")
        }
        return column
    }

    private mutating func name() throws(SelectRefusal) -> String {
        switch next() {
        case .word(let name)?, .name(let name)?:
            guard name.utf8.count <= 1024 else { throw SelectRefusal(.sqlInvalidColumnName, "The column's name is too long.") }
            return name
        default:
            index -= 1
            throw .syntax("A column is expected, not \(described).")
        }
    }

    private mutating func steps(mayBeWild: Bool) throws(SelectRefusal) -> [SelectStatement.Step] {
        var steps: [SelectStatement.Step] = []
        while true {
            if skip(".") {
                steps.append(.name(try name()))
            } else if skip("[") {
                if skip("*") {
                    guard mayBeWild else { throw SelectRefusal(.wildCardNotAllowed, "[*] is for the table alone.") }
                    steps.append(.everyElement)
                } else {
                    guard case .number(let text)? = next(), let number = Int(digits: text) else {
                        throw .syntax("An index is a whole number.")
                    }
                    steps.append(.index(number))
                }
                try expect("]")
            } else {
                return steps
            }
        }
    }
}

extension SelectParser {
    var peek: SelectLexer.Token? { index < tokens.count ? tokens[index] : nil }

    /// The current token for an error message.
    var described: String {
        switch peek {
        case nil: "the end"
        case .word(let text)?, .name(let text)?, .text(let text)?, .number(let text)?, .symbol(let text)?, .ion(let text)?: "'\(text)'"
        }
    }

    mutating func next() -> SelectLexer.Token? {
        defer { index += 1 }
        return peek
    }

    func isWord(_ word: String) -> Bool { if case .word(let text)? = peek { text.lowercased() == word } else { false } }

    mutating func skip(word: String) -> Bool {
        guard isWord(word) else { return false }
        index += 1
        return true
    }

    mutating func skip(_ symbol: String) -> Bool {
        guard peek == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    mutating func expect(word: String) throws(SelectRefusal) {
        guard skip(word: word) else { throw .syntax("\(word.uppercased()) is expected, not \(described).", .keyword) }
    }

    mutating func expect(_ symbol: String, _ grammar: SelectRefusal.Grammar = .tokenType) throws(SelectRefusal) {
        guard skip(symbol) else { throw .syntax("'\(symbol)' is expected, not \(described).", grammar) }
    }
}
