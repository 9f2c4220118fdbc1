import WireFormats

/// Reads a statement. (OSS User Guide, "Query objects": `SELECT … FROM … WHERE … LIMIT …`, without joins, groups and orders.)
struct SelectParser {
    /// (OSS User Guide, "Query objects", limits of a statement.)
    private static let (longest, mostConstants, mostColumns) = (16 << 10, 1024, 1000)
    /// Parentheses within each other, and operators that are no AND and OR: what is evaluated is not nested more deeply.
    private static let (deepest, mostOperators) = (100, 500)

    private let tokens: [SelectLexer.Token]
    private var index = 0
    private var (depth, operators) = (0, 0)
    /// What columns may be called by: `ossobject`, and the name that FROM gives it.
    private var tables: Set<String> = ["ossobject"]

    /// - Throws: ``SelectRefusal`` for what is no statement.
    static func statement(_ text: String) throws(SelectRefusal) -> SelectStatement {
        guard text.utf8.count <= longest else { throw SelectRefusal(.invalidSQLParameter, "The SQL is too long.") }
        var parser = SelectParser(tokens: try SelectLexer.tokens(of: text))
        return try parser.statement()
    }

    private init(tokens: [SelectLexer.Token]) { self.tokens = tokens }

    private mutating func statement() throws(SelectRefusal) -> SelectStatement {
        try expect(word: "select")
        let list = index
        // What the columns belong to is said behind them.
        while index < tokens.count, !isWord("from") { index += 1 }
        try expect(word: "from")
        let source = try source()
        let rest = index
        index = list
        var statement = SelectStatement(output: try output(), source: source)
        guard isWord("from") else { throw .syntax("FROM is expected behind the columns.") }
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
        repeat {
            if var aggregate = try aggregate() {
                aggregate.alias = try alias()
                aggregates.append(aggregate)
            } else {
                let column = try column()
                columns.append((column: column, alias: try alias()))
            }
        } while skip(",")
        guard columns.isEmpty || aggregates.isEmpty else { throw .syntax("Columns and aggregates exclude each other.") }
        guard columns.count + aggregates.count <= Self.mostColumns else { throw .syntax("There are too many columns.") }
        return aggregates.isEmpty ? .columns(columns) : .aggregates(aggregates)
    }

    /// The service takes several names, of which the last counts.
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

    private mutating func column() throws(SelectRefusal) -> SelectStatement.Column {
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

// Conditions, from what binds least to what binds most.
extension SelectParser {
    private mutating func disjunction() throws(SelectRefusal) -> SelectStatement.Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw SelectRefusal(.sqlExceedsMaxConditionDepth, "The condition is nested too deeply.") }
        var all = [try conjunction()]
        while skip(word: "or") { all.append(try conjunction()) }
        return all.count == 1 ? all[0] : .or(all)
    }

    private mutating func conjunction() throws(SelectRefusal) -> SelectStatement.Expression {
        var all = [try negation()]
        while skip(word: "and") { all.append(try negation()) }
        return all.count == 1 ? all[0] : .and(all)
    }

    private mutating func negation() throws(SelectRefusal) -> SelectStatement.Expression {
        var isNegated = false
        while skip(word: "not") { isNegated.toggle() }
        let predicate = try predicate()
        return isNegated ? .not(predicate) : predicate
    }

    private mutating func predicate() throws(SelectRefusal) -> SelectStatement.Expression {
        let left = try sum()
        if skip(word: "is") {
            let isNegated = skip(word: "not")
            try expect(word: "null")
            return isNegated ? .not(.isNull(left)) : .isNull(left)
        }
        let isNegated = skip(word: "not")
        if skip(word: "like") {
            let like = SelectStatement.Expression.like(left, try pattern())
            return isNegated ? .not(like) : like
        }
        if skip(word: "in") {
            let among = SelectStatement.Expression.isIn(left, try constants())
            return isNegated ? .not(among) : among
        }
        if skip(word: "between") {
            let least = try sum()
            try expect(word: "and")
            let between = SelectStatement.Expression.and(
                [.comparison(left, .greaterOrEqual, least), .comparison(left, .lessOrEqual, try sum())])
            return isNegated ? .not(between) : between
        }
        guard !isNegated else { throw .syntax("LIKE, IN or BETWEEN is expected behind NOT.") }
        guard case .symbol(let symbol)? = peek, let comparison = SelectStatement.Comparison(rawValue: symbol == "<>" ? "!=" : symbol) else {
            return left
        }
        index += 1
        return .comparison(left, comparison, try sum())
    }

    private mutating func pattern() throws(SelectRefusal) -> LikePattern {
        guard case .text(let text)? = next() else { throw .syntax("A text is expected behind LIKE.") }
        guard skip(word: "escape") else { return try LikePattern(text, escape: nil) }
        guard case .text(let mark)? = next() else { throw .syntax("A character is expected behind ESCAPE.") }
        return try LikePattern(text, escape: mark)
    }

    private mutating func constants() throws(SelectRefusal) -> [SelectValue] {
        try expect("(")
        var constants: [SelectValue] = []
        repeat {
            let isNegative = skip("-")
            guard case .literal(let value) = try primary() else { throw .syntax("IN is followed by constants.") }
            constants.append(isNegative ? try value.negated() : value)
        } while skip(",")
        try expect(")")
        guard constants.count <= Self.mostConstants else {
            throw SelectRefusal(.sqlExceedsMaxInCount, "IN takes \(Self.mostConstants) constants at most.")
        }
        return constants
    }

    private mutating func sum() throws(SelectRefusal) -> SelectStatement.Expression {
        var left = try product()
        while true {
            if skip("||") {
                left = .concatenation(left, try operand { (parser) throws(SelectRefusal) in try parser.product() })
            } else if skip("+") {
                left = .arithmetic(left, .plus, try operand { (parser) throws(SelectRefusal) in try parser.product() })
            } else if skip("-") {
                left = .arithmetic(left, .minus, try operand { (parser) throws(SelectRefusal) in try parser.product() })
            } else {
                return left
            }
        }
    }

    /// What stands behind an operator.
    private mutating func operand(
        _ read: (inout SelectParser) throws(SelectRefusal) -> SelectStatement.Expression
    ) throws(SelectRefusal) -> SelectStatement.Expression {
        operators += 1
        guard operators <= Self.mostOperators else {
            throw SelectRefusal(.sqlExceedsMaxConditionDepth, "The statement has too many operators.")
        }
        return try read(&self)
    }

    private mutating func product() throws(SelectRefusal) -> SelectStatement.Expression {
        var left = try factor()
        while case .symbol(let symbol)? = peek, ["*", "/", "%"].contains(symbol),
            let arithmetic = SelectStatement.Arithmetic(rawValue: symbol)
        {
            index += 1
            left = .arithmetic(left, arithmetic, try operand { (parser) throws(SelectRefusal) in try parser.factor() })
        }
        return left
    }

    private mutating func factor() throws(SelectRefusal) -> SelectStatement.Expression {
        var isNegative = false
        while skip("-") { isNegative.toggle() }
        let primary = try primary()
        guard isNegative else { return primary }
        if case .literal(let value) = primary { return .literal(try value.negated()) }
        return .arithmetic(.literal(.integer(0)), .minus, primary)
    }

    private mutating func primary() throws(SelectRefusal) -> SelectStatement.Expression {
        switch peek {
        case .text(let text)?:
            index += 1
            return .literal(.text(text))
        case .number(let text)?:
            index += 1
            guard let value = SelectValue(number: text) else { throw .syntax("'\(text)' is no number.") }
            return .literal(value)
        case .symbol("(")?:
            index += 1
            let inner = try disjunction()
            try expect(")")
            return inner
        case .word(let word)?:
            switch word.lowercased() {
            case "true", "false":
                index += 1
                return .literal(.boolean(word.lowercased() == "true"))
            case "null":
                index += 1
                return .literal(.null)
            case "cast" where index + 1 < tokens.count && tokens[index + 1] == .symbol("("):
                index += 2
                let inner = try disjunction()
                try expect(word: "as")
                guard case .word(let kind)? = next(), let kind = SelectValue.Kind(rawValue: kind.lowercased()) else {
                    throw .syntax("The type is int, double, decimal, string, timestamp or boolean.")
                }
                try expect(")")
                return .cast(inner, kind)
            default: return .column(try column())
            }
        default: return .column(try column())
        }
    }
}

extension SelectParser {
    private var peek: SelectLexer.Token? { index < tokens.count ? tokens[index] : nil }

    /// The token that stands here, for a message.
    private var described: String {
        switch peek {
        case nil: "the end"
        case .word(let text)?, .name(let text)?, .text(let text)?, .number(let text)?, .symbol(let text)?: "'\(text)'"
        }
    }

    private mutating func next() -> SelectLexer.Token? {
        defer { index += 1 }
        return peek
    }

    private func isWord(_ word: String) -> Bool { if case .word(let text)? = peek { text.lowercased() == word } else { false } }

    private mutating func skip(word: String) -> Bool {
        guard isWord(word) else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ symbol: String) -> Bool {
        guard peek == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func expect(word: String) throws(SelectRefusal) {
        guard skip(word: word) else { throw .syntax("\(word.uppercased()) is expected, not \(described).") }
    }

    private mutating func expect(_ symbol: String) throws(SelectRefusal) {
        guard skip(symbol) else { throw .syntax("'\(symbol)' is expected, not \(described).") }
    }
}
