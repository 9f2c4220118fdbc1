import WireFormats

// Statements of S3. (S3 User Guide, "SELECT command".)
extension SelectParser {
    /// Keywords that can follow a table, so that they cannot be its alias without quotation marks.
    private static let clauses: Set<String> = [
        "where", "limit", "group", "order", "having", "union", "join", "inner", "left", "right", "full", "cross", "on",
    ]

    mutating func s3Statement() throws(SelectRefusal) -> SelectStatement {
        guard skip(word: "select") else { throw .syntax("SELECT is expected, not \(described).", .notSelect) }
        let list = index
        try goToSource(from: list)
        let source = try s3Source()
        let rest = index
        index = list
        var statement = SelectStatement(output: try s3Output(), source: source, emitsMissing: true)
        guard isWord("from") else { throw .syntax("FROM is expected after the columns, not \(described).") }
        index = rest
        if skip(word: "where") { statement.condition = try disjunction() }
        if skip(word: "limit") {
            if skip("-") { throw .syntax("LIMIT is a whole number from 0.", .negativeLimit) }
            guard case .number(let text)? = next(), let limit = Int(digits: text) else {
                throw .syntax("LIMIT is a whole number from 0.", .number)
            }
            statement.limit = limit
        }
        _ = skip(";")
        guard index == tokens.count else { throw .syntax("\(described) is not expected here.", unexpected) }
        return statement
    }

    /// Moves to the position after the statement's FROM, skipping those in function calls.
    private mutating func goToSource(from list: Int) throws(SelectRefusal) {
        var open = 0
        while index < tokens.count, open > 0 || !isWord("from") {
            if peek == .symbol("(") { open += 1 } else if peek == .symbol(")") { open -= 1 }
            index += 1
        }
        if index == list { throw .syntax("Something to select is expected, not \(described).", .emptySelect) }
        guard skip(word: "from") else { throw .syntax("FROM is expected.", .missingFrom) }
    }

    private mutating func s3Source() throws(SelectRefusal) -> [SelectStatement.Step] {
        switch next() {
        case .word(let table)? where table.lowercased() == dialect.table, .name(let table)? where table.lowercased() == dialect.table: break
        default: throw .syntax("The table is S3Object.", .unsupportedTable)
        }
        var steps = try s3Steps(mayBeWild: true)
        // The table consists of the documents of the object, so the first `[*]` is redundant.
        if steps.first == .everyElement { steps.removeFirst() }
        let isNamed = skip(word: "as")
        switch peek {
        case .word(let name)? where !Self.clauses.contains(name.lowercased()) && !Self.reserved.contains(name.lowercased()),
            .name(let name)?:
            index += 1
            tables.insert(name.lowercased())
        default:
            if isNamed { throw .syntax("A name for the table is expected, not \(described).", .alias) }
            if let name = steps.last?.text { tables.insert(name.lowercased()) }
        }
        return steps
    }

    /// The grammar rule that the current token violates.
    private var unexpected: SelectRefusal.Grammar {
        switch peek {
        case .symbol(","): .multipleSources
        case .symbol: .operator
        case .word(let word)?:
            switch word.lowercased() {
            case "group": .groupBy
            case "join", "inner", "left", "right", "full", "cross": .join
            case "order", "having", "union", "select", "from", "where", "limit": .unexpectedKeyword
            default: .token
            }
        default: .token
        }
    }

    private mutating func s3Output() throws(SelectRefusal) -> SelectStatement.Output {
        var expressions: [SelectStatement.NamedExpression] = []
        aggregates = []
        var isEverything = false
        var count = 0
        repeat {
            count += 1
            if skip("*") || skipEverything() {
                isEverything = true
            } else {
                let expression = try disjunction()
                var alias = try s3Alias()
                // An expression for the whole record has the table's name as its default alias.
                if alias == nil, case .column(let column) = expression, column.path.isEmpty { alias = tableName }
                expressions.append((expression: expression, alias: alias))
            }
        } while skip(",")
        guard !isEverything || count == 1 else { throw .syntax("* cannot be combined with columns.", .asteriskNotAlone) }
        let found = aggregates ?? []
        aggregates = nil
        guard found.isEmpty || expressions.allSatisfy(\.expression.columns.isEmpty) else {
            throw .syntax("Columns and aggregates exclude each other.", .misplacedAggregate)
        }
        guard count <= Self.mostColumns else { throw .syntax("There are too many columns.", .tooManyColumns) }
        if isEverything { return .everything }
        return found.isEmpty ? .expressions(expressions) : .summary(expressions, of: found)
    }

    /// The name of the table in the expression that was just parsed.
    private var tableName: String? {
        switch index > 0 ? tokens[index - 1] : nil {
        case .word(let name)?, .name(let name)?: name
        default: nil
        }
    }

    /// Skips `s.*` if it is next.
    private mutating func skipEverything() -> Bool {
        guard case .word(let name)? = peek, tables.contains(name.lowercased()), index + 2 < tokens.count, tokens[index + 1] == .symbol("."),
            tokens[index + 2] == .symbol("*")
        else { return false }
        index += 3
        return true
    }

    private mutating func s3Alias() throws(SelectRefusal) -> String? {
        let isNamed = skip(word: "as")
        switch peek {
        case .name(let name)?:
            index += 1
            return name
        case .word(let name)? where !Self.reserved.contains(name.lowercased()):
            index += 1
            return name
        default:
            if isNamed { throw .syntax("A name is expected after AS, not \(described).", .alias) }
            return nil
        }
    }

    /// Parses an aggregate after its opening parenthesis. Aggregates cannot be nested.
    mutating func s3Aggregate(_ function: SelectStatement.Aggregate.Function) throws(SelectRefusal) -> SelectStatement.Expression {
        guard let known = aggregates else {
            throw .syntax("\(function.rawValue.uppercased()) is only allowed in the SELECT list.", .misplacedAggregate)
        }
        var argument: SelectStatement.Expression?
        if skip("*") {
            guard function == .count else { throw .syntax("Only COUNT takes *.", .starInCall) }
        } else {
            if peek == .symbol(")") { throw .syntax("An aggregate takes one argument.", .aggregateArity) }
            aggregates = nil
            argument = try disjunction()
            if peek == .symbol(",") { throw .syntax("An aggregate takes one argument.", .aggregateArity) }
        }
        try expect(")", .rightParenthesis)
        aggregates = known + [SelectStatement.Aggregate(function: function, argument: argument)]
        return .aggregate(known.count)
    }

    mutating func s3Column() throws(SelectRefusal) -> SelectStatement.Column {
        let first: SelectStatement.Step
        switch next() {
        case .word(let name)?:
            guard !Self.reserved.contains(name.lowercased()) else {
                index -= 1
                throw .syntax("An expression is expected, not \(described).", .unexpectedKeyword)
            }
            first = .anyCaseName(name)
        case .name(let name)?: first = .exactName(name)
        default:
            index -= 1
            throw .syntax("An expression is expected, not \(described).", peek == nil ? .expression : .term)
        }
        var path = [first] + (try s3Steps(mayBeWild: false))
        if let name = first.text, tables.contains(name.lowercased()) { path.removeFirst() }
        let column = SelectStatement.Column(path: path)
        if let number = column.number, number < 1 {
            throw SelectRefusal(.sqlInvalidColumnIndex, "Columns are counted from 1.")
        }
        return column
    }

    /// Keywords that cannot begin an expression without quotation marks.
    private static let reserved: Set<String> = [
        "select", "from", "where", "limit", "and", "or", "in", "like", "between", "is", "as", "when", "then", "else", "end", "escape",
        "group",
        "order", "by", "having", "union", "join", "on", "distinct",
    ]

    private mutating func s3Steps(mayBeWild: Bool) throws(SelectRefusal) -> [SelectStatement.Step] {
        var steps: [SelectStatement.Step] = []
        while true {
            if skip(".") {
                switch next() {
                case .word(let name)?: steps.append(.anyCaseName(name))
                case .name(let name)?: steps.append(.exactName(name))
                case .symbol("*")?:
                    guard mayBeWild else { throw .syntax("A wildcard is only allowed in FROM.", .wildcardInSelectList) }
                    steps.append(.everyMember)
                default:
                    index -= 1
                    throw .syntax("A name is expected, not \(described).", .member)
                }
            } else if skip("[") {
                switch next() {
                case .text(let name)?: steps.append(.exactName(name))
                case .symbol("*")?:
                    guard mayBeWild else { throw .syntax("A wildcard is only allowed in FROM.", .wildcardInSelectList) }
                    steps.append(.everyElement)
                case .number(let text)?:
                    guard let number = Int(digits: text) else { throw .syntax("An index is a whole number.", .member) }
                    steps.append(.index(number))
                default:
                    index -= 1
                    throw .syntax("An index or a name is expected, not \(described).", .member)
                }
                try expect("]")
            } else {
                return steps
            }
        }
    }
}
