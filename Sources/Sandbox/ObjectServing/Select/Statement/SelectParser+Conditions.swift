import WireFormats

// Conditions, from the lowest precedence to the highest.
extension SelectParser {
    mutating func disjunction() throws(SelectRefusal) -> SelectStatement.Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw SelectRefusal(.sqlExceedsMaxConditionDepth, "The condition is nested too deeply.") }
        var all = [try conjunction()]
        while skip(word: "or") { all.append(try conjunction()) }
        return all.count == 1 ? all[0] : .or(all)
    }

    mutating func conjunction() throws(SelectRefusal) -> SelectStatement.Expression {
        var all = [try negation()]
        while skip(word: "and") { all.append(try negation()) }
        return all.count == 1 ? all[0] : .and(all)
    }

    mutating func negation() throws(SelectRefusal) -> SelectStatement.Expression {
        var isNegated = false
        while skip(word: "not") { isNegated.toggle() }
        let predicate = try predicate()
        return isNegated ? .not(predicate) : predicate
    }

    /// Parses an operand with its tests. S3 allows several consecutive tests.
    private mutating func predicate() throws(SelectRefusal) -> SelectStatement.Expression {
        var left = try sum()
        while let tested = try test(of: left) {
            if dialect.isOSS { return tested }
            left = try operand { (_) throws(SelectRefusal) in tested }
        }
        return left
    }

    /// Parses the test after an operand; `nil` if there is none.
    private mutating func test(of left: SelectStatement.Expression) throws(SelectRefusal) -> SelectStatement.Expression? {
        if skip(word: "is") {
            let isNegated = skip(word: "not")
            if !dialect.isOSS, skip(word: "missing") { return isNegated ? .not(.isMissing(left)) : .isMissing(left) }
            try expect(word: "null")
            return isNegated ? .not(.isNull(left)) : .isNull(left)
        }
        let isNegated = skip(word: "not")
        if skip(word: "like") {
            let like = SelectStatement.Expression.like(left, try pattern())
            return isNegated ? .not(like) : like
        }
        if skip(word: "in") {
            let among = try dialect.isOSS ? .isIn(left, constants()) : s3Membership(of: left)
            return isNegated ? .not(among) : among
        }
        if skip(word: "between") {
            let least = try sum()
            try expect(word: "and")
            let between = SelectStatement.Expression.between(left, least: least, most: try sum(), isLoose: !dialect.isOSS)
            return isNegated ? .not(between) : between
        }
        guard !isNegated else { throw .syntax("LIKE, IN or BETWEEN is expected after NOT.", .keyword) }
        guard case .symbol(let symbol)? = peek, let operation = SelectStatement.Comparison(rawValue: symbol == "<>" ? "!=" : symbol) else {
            return nil
        }
        index += 1
        return comparison(left, operation, try sum())
    }

    private func comparison(
        _ left: SelectStatement.Expression, _ operation: SelectStatement.Comparison, _ right: SelectStatement.Expression
    ) -> SelectStatement.Expression {
        dialect.isOSS ? .comparison(left, operation, right) : .looseComparison(left, operation, right)
    }

    mutating func pattern() throws(SelectRefusal) -> LikePattern {
        guard case .text(let text)? = next() else { throw .syntax("A text is expected after LIKE.", .likePattern) }
        guard skip(word: "escape") else { return try LikePattern(text, escape: nil, dialect: dialect) }
        guard case .text(let mark)? = next() else { throw .syntax("A character is expected after ESCAPE.", .likePattern) }
        return try LikePattern(text, escape: mark, dialect: dialect)
    }

    mutating func constants() throws(SelectRefusal) -> [SelectValue] {
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

    mutating func sum() throws(SelectRefusal) -> SelectStatement.Expression {
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

    /// Parses the operand after an operator, and counts the operator.
    mutating func operand(
        _ read: (inout SelectParser) throws(SelectRefusal) -> SelectStatement.Expression
    ) throws(SelectRefusal) -> SelectStatement.Expression {
        operators += 1
        guard operators <= Self.mostOperators else {
            throw SelectRefusal(.sqlExceedsMaxConditionDepth, "The statement has too many operators.")
        }
        return try read(&self)
    }

    mutating func product() throws(SelectRefusal) -> SelectStatement.Expression {
        var left = try factor()
        while case .symbol(let symbol)? = peek, ["*", "/", "%"].contains(symbol),
            let arithmetic = SelectStatement.Arithmetic(rawValue: symbol)
        {
            index += 1
            left = .arithmetic(left, arithmetic, try operand { (parser) throws(SelectRefusal) in try parser.factor() })
        }
        return left
    }

    mutating func factor() throws(SelectRefusal) -> SelectStatement.Expression {
        var isNegative = false
        while skip("-") { isNegative.toggle() }
        let primary = try dialect.isOSS ? primary() : s3Primary()
        guard isNegative else { return primary }
        if case .literal(let value) = primary { return .literal(try value.negated()) }
        return .arithmetic(.literal(.integer(0)), .minus, primary)
    }

    mutating func primary() throws(SelectRefusal) -> SelectStatement.Expression {
        switch peek {
        case .text(let text)?:
            index += 1
            return .literal(.text(text))
        case .number(let text)?:
            index += 1
            guard let value = SelectValue(number: text) else { throw .syntax("'\(text)' is not a number.") }
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
