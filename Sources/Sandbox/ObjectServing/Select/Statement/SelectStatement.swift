import WireFormats

/// A statement over the records of one object.
/// (OSS User Guide, "Query objects", SQL statements. S3 User Guide, "SQL reference for Amazon S3 Select".)
package struct SelectStatement: Sendable {
    /// A step of a path from a record or document to a value in it.
    enum Step: Hashable, Sendable {
        /// A name: an exact match, or else a case-insensitive one.
        case name(String)
        /// A case-sensitive name.
        case exactName(String)
        /// A case-insensitive name that must be unambiguous.
        case anyCaseName(String)
        case index(Int)
        /// Every element of an array; only in FROM.
        case everyElement
        /// The value of every member of an object; only in FROM.
        case everyMember

        /// The name, regardless of how it is compared.
        var text: String? {
            switch self {
            case .name(let name), .exactName(let name), .anyCaseName(let name): name
            case .index, .everyElement, .everyMember: nil
            }
        }
    }

    /// A part of a record: `_1`, `city`, `person.names[0]`.
    struct Column: Hashable, Sendable {
        let path: [Step]
        /// The number in `_3`, counting from 1; `nil` for other names.
        let number: Int?

        init(path: [Step]) {
            self.path = path
            let name = path.count == 1 ? path[0].text : nil
            number = name.flatMap { $0.hasPrefix("_") ? Int(digits: $0.dropFirst()) : nil }
        }
    }

    indirect enum Expression: Sendable {
        case literal(SelectValue)
        case column(Column)
        case not(Expression)
        case and([Expression])
        case or([Expression])
        case comparison(Expression, Comparison, Expression)
        case like(Expression, LikePattern)
        case isNull(Expression)
        case isIn(Expression, [SelectValue])
        case arithmetic(Expression, Arithmetic, Expression)
        /// BETWEEN, which evaluates its operand once.
        case between(Expression, least: Expression, most: Expression, isLoose: Bool)
        case concatenation(Expression, Expression)
        case cast(Expression, SelectValue.Kind)
        /// The following cases belong to S3. This comparison treats values of different types as unequal instead of failing the record.
        case looseComparison(Expression, Comparison, Expression)
        case isMissing(Expression)
        /// Whether a value equals one of several.
        case isAmong(Expression, [Expression])
        /// Whether a JSON array contains a value.
        case isElement(Expression, of: Expression)
        /// CASE. Each WHEN is a condition, or a value that may equal the subject's.
        case choice(of: Expression?, [Case], otherwise: Expression?)
        case convert(Expression, SelectValue.Kind)
        case call(SelectFunction, [Expression])
        /// The result of one of the statement's aggregates.
        case aggregate(Int)

        /// The columns in the order of the statement.
        var columns: [Column] {
            switch self {
            case .literal, .aggregate: []
            case .column(let column): [column]
            case .not(let one), .like(let one, _), .isNull(let one), .isIn(let one, _), .cast(let one, _): one.columns
            case .and(let all), .or(let all): all.flatMap(\.columns)
            case .isMissing(let one), .convert(let one, _): one.columns
            case .isAmong(let one, let others): one.columns + others.flatMap(\.columns)
            case .call(_, let all): all.flatMap(\.columns)
            case .choice(let subject, let cases, let otherwise):
                (subject?.columns ?? []) + cases.flatMap { $0.condition.columns + $0.value.columns } + (otherwise?.columns ?? [])
            case .between(let one, let least, let most, _): one.columns + least.columns + most.columns
            case .looseComparison(let one, _, let other), .isElement(let one, let other): one.columns + other.columns
            case .comparison(let one, _, let other), .arithmetic(let one, _, let other), .concatenation(let one, let other):
                one.columns + other.columns
            }
        }
    }

    /// `WHEN condition THEN value`. With a subject, the condition is the value that it may equal.
    struct Case: Sendable {
        var condition: Expression
        var value: Expression
    }

    enum Comparison: String, Sendable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    enum Arithmetic: String, Sendable {
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case modulo = "%"
    }

    struct Aggregate: Sendable {
        enum Function: String, Sendable {
            case average = "avg"
            case count
            case maximum = "max"
            case minimum = "min"
            case sum
        }

        var function: Function
        /// The argument; `nil` for `count(*)`.
        var argument: Expression?
    }

    typealias NamedExpression = (expression: Expression, alias: String?)

    enum Output: Sendable {
        case everything
        case columns([(column: Column, alias: String?)])
        /// One record with the results of aggregates.
        case summary([NamedExpression], of: [Aggregate])
        case expressions([NamedExpression])
    }

    var output: Output
    /// The path from the document to the records, for JSON.
    var source: [Step] = []
    var condition: Expression?
    var limit: Int?
    /// Whether a path in FROM that selects nothing results in an empty record.
    var emitsMissing = false

    /// All columns in the statement.
    var columns: [Column] {
        let shown: [Column] =
            switch output {
            case .everything: []
            case .columns(let columns): columns.map(\.column)
            case .expressions(let expressions): expressions.flatMap { $0.expression.columns }
            case .summary(_, let aggregates): aggregates.flatMap { $0.argument?.columns ?? [] }
            }
        return shown + (condition?.columns ?? [])
    }
}
