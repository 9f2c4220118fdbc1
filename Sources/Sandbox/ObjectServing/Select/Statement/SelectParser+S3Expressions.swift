import WireFormats

// Operators and functions of S3. (S3 User Guide, "Operators", "SQL functions".)
extension SelectParser {
    /// Parses `IN (1, 2)`, `IN [1, 2]`, or an array of JSON.
    mutating func s3Membership(of left: SelectStatement.Expression) throws(SelectRefusal) -> SelectStatement.Expression {
        let end = skip("(") ? ")" : skip("[") ? "]" : nil
        guard let end else {
            guard peek != nil else { throw .syntax("A list is expected after IN.", .leftParenthesis) }
            return .isElement(left, of: try sum())
        }
        var others: [SelectStatement.Expression] = []
        repeat { others.append(try disjunction()) } while skip(",")
        try expect(end, .rightParenthesis)
        return .isAmong(left, others)
    }

    mutating func s3Primary() throws(SelectRefusal) -> SelectStatement.Expression {
        switch peek {
        case .text(let text)?:
            index += 1
            return .literal(.text(text))
        case .ion(let text)?:
            index += 1
            let inner = text.trimmed
            if let moment = SelectMoment(parsing: inner) { return .literal(.timestamp(moment)) }
            guard let number = SelectValue(number: inner) else { throw .syntax("'\(text)' is not a literal.", .invalidIonLiteral) }
            return .literal(number)
        case .number(let text)?:
            index += 1
            guard let value = SelectValue(number: text) else { throw .syntax("'\(text)' is not a number.", .invalidLiteral) }
            return .literal(value)
        case .symbol("(")?:
            index += 1
            let inner = try disjunction()
            try expect(")", .rightParenthesis)
            return inner
        case .word(let word)?:
            if let literal = Self.literals[word.lowercased()] {
                index += 1
                return .literal(literal)
            }
            if word.lowercased() == "case" { return try s3Choice() }
            guard index + 1 < tokens.count, tokens[index + 1] == .symbol("(") else {
                guard !["cast", "extract", "date_add", "date_diff"].contains(word.lowercased()) else {
                    throw .syntax(
                        "A parenthesis is expected after \(word).", word.lowercased() == "cast" ? .leftParenthesisOfCast : .leftParenthesis
                    )
                }
                return .column(try s3Column())
            }
            index += 2
            return try s3Call(word.lowercased())
        default: return .column(try s3Column())
        }
    }

    private static let literals: [String: SelectValue] = [
        "true": .boolean(true), "false": .boolean(false), "null": .null, "missing": .null,
    ]

    private static let functions: [String: SelectFunction] = [
        "char_length": .characterLength, "character_length": .characterLength, "coalesce": .coalesce, "lower": .lower, "nullif": .nullIf,
        "to_string": .toString, "to_timestamp": .toTimestamp, "upper": .upper,
    ]

    /// Parses a function call after its opening parenthesis.
    private mutating func s3Call(_ name: String) throws(SelectRefusal) -> SelectStatement.Expression {
        switch name {
        case "cast": return try s3Cast()
        case "trim": return try s3Trim()
        case "substring": return try s3Substring()
        case "extract":
            let part = try s3DatePart(inExtract: true)
            try expect(word: "from")
            let inner = try disjunction()
            try expect(")", .rightParenthesis)
            return .call(.extract(part), [inner])
        case "date_add", "date_diff":
            let part = try s3DatePart(inExtract: false)
            try expect(",", .argumentDelimiter)
            return try s3Call(name == "date_add" ? .dateAdd(part) : .dateDifference(part), try s3Arguments())
        case "utcnow":
            guard skip(")") else { throw .syntax("UTCNOW takes no argument.", .functionArity) }
            guard case .s3(let now) = dialect else { return .literal(.null) }
            return .literal(.timestamp(SelectMoment(now, precision: .fraction)))
        default:
            if let aggregate = SelectStatement.Aggregate.Function(rawValue: name) { return try s3Aggregate(aggregate) }
            guard let function = Self.functions[name] else { throw .syntax("There is no function \(name.uppercased()).", .function) }
            return try s3Call(function, try s3Arguments())
        }
    }

    private func s3Call(
        _ function: SelectFunction, _ arguments: [SelectStatement.Expression]
    ) throws(SelectRefusal) -> SelectStatement.Expression {
        guard function.arity.contains(arguments.count) else {
            throw .syntax("A function has the wrong number of arguments.", .functionArity)
        }
        return .call(function, arguments)
    }

    private mutating func s3Arguments() throws(SelectRefusal) -> [SelectStatement.Expression] {
        if skip(")") { return [] }
        if peek == .symbol("*") { throw .syntax("Only COUNT takes *.", .starInCall) }
        var arguments: [SelectStatement.Expression] = []
        repeat { arguments.append(try disjunction()) } while skip(",")
        try expect(")", .rightParenthesis)
        return arguments
    }

    private mutating func s3DatePart(inExtract: Bool) throws(SelectRefusal) -> SelectDatePart {
        guard case .word(let word)? = next(), let part = SelectDatePart(rawValue: word.lowercased()),
            inExtract || part != .timezoneHour && part != .timezoneMinute
        else {
            index -= 1
            throw .syntax("A part of a date is expected, not \(described).", .datePart)
        }
        return part
    }

    private static let kinds: [String: SelectValue.Kind] = [
        "bool": .boolean, "boolean": .boolean, "int": .int, "integer": .int, "string": .string, "float": .float, "decimal": .decimal,
        "numeric": .decimal, "timestamp": .timestamp,
    ]

    private mutating func s3Cast() throws(SelectRefusal) -> SelectStatement.Expression {
        let inner = try disjunction()
        if peek == .symbol(",") { throw .syntax("CAST takes one value.", .castArity) }
        try expect(word: "as")
        guard case .word(let word)? = next(), let kind = Self.kinds[word.lowercased()] else {
            index -= 1
            throw .syntax("A type is expected, not \(described).", .typeName)
        }
        if kind == .decimal, skip("(") {
            repeat {
                guard case .number(let text)? = next(), Int(digits: text) != nil else { throw .syntax("A number is expected.", .number) }
            } while skip(",")
            try expect(")", .rightParenthesis)
        }
        try expect(")", .rightParenthesis)
        return .convert(inner, kind)
    }

    /// Parses `TRIM(BOTH 'x' FROM text)`; side and characters are optional.
    private mutating func s3Trim() throws(SelectRefusal) -> SelectStatement.Expression {
        var side = SelectFunction.Side.both
        if case .word(let word)? = peek, let named = SelectFunction.Side(rawValue: word.lowercased()) {
            index += 1
            side = named
            if skip(word: "from") {
                let text = try disjunction()
                try expect(")", .rightParenthesis)
                return .call(.trim(side), [text])
            }
        }
        let first = try disjunction()
        guard skip(word: "from") else {
            try expect(")", .rightParenthesis)
            return .call(.trim(side), [first])
        }
        let text = try disjunction()
        try expect(")", .rightParenthesis)
        return .call(.trim(side), [text, first])
    }

    /// Parses `SUBSTRING(text FROM 2 FOR 3)`, or the form with commas.
    private mutating func s3Substring() throws(SelectRefusal) -> SelectStatement.Expression {
        let text = try disjunction()
        if skip(word: "from") {
            var arguments = [text, try disjunction()]
            if skip(word: "for") { arguments.append(try disjunction()) }
            try expect(")", .rightParenthesis)
            return .call(.substring, arguments)
        }
        guard skip(",") else { throw .syntax("A delimiter is expected, not \(described).", .argumentDelimiter) }
        return try s3Call(.substring, [text] + (try s3Arguments()))
    }

    /// Parses `CASE WHEN condition THEN value … ELSE value END`, or `CASE value WHEN value …`.
    private mutating func s3Choice() throws(SelectRefusal) -> SelectStatement.Expression {
        index += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw SelectRefusal(.sqlExceedsMaxConditionDepth, "The statement is nested too deeply.") }
        let subject = try isWord("when") ? nil : disjunction()
        var cases: [SelectStatement.Case] = []
        while skip(word: "when") {
            let condition = try disjunction()
            try expect(word: "then")
            let value = try disjunction()
            cases.append(SelectStatement.Case(condition: condition, value: value))
        }
        guard !cases.isEmpty else { throw .syntax("WHEN is expected, not \(described).", .whenClause) }
        let otherwise = try skip(word: "else") ? disjunction() : nil
        try expect(word: "end")
        return .choice(of: subject, cases, otherwise: otherwise)
    }
}
