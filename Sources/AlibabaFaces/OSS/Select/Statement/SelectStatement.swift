import WireFormats

/// A statement over the records of one object. (OSS User Guide, "Query objects", SQL statements.)
struct SelectStatement: Sendable {
    /// One step from a record, or from the document, to what lies in it.
    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
        /// Every element of an array; where records come from alone.
        case everyElement
    }

    /// What a statement calls a part of a record: `_1`, `city`, `person.names[0]`.
    struct Column: Hashable, Sendable {
        var path: [Step]

        /// The number in `_3`, from 1; nothing for another name.
        var number: Int? {
            guard path.count == 1, case .name(let name) = path[0], name.hasPrefix("_") else { return nil }
            return Int(digits: name.dropFirst())
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
        case concatenation(Expression, Expression)
        case cast(Expression, SelectValue.Kind)

        /// In the order of the statement.
        var columns: [Column] {
            switch self {
            case .literal: []
            case .column(let column): [column]
            case .not(let one), .like(let one, _), .isNull(let one), .isIn(let one, _), .cast(let one, _): one.columns
            case .and(let all), .or(let all): all.flatMap(\.columns)
            case .comparison(let one, _, let other), .arithmetic(let one, _, let other), .concatenation(let one, let other):
                one.columns + other.columns
            }
        }
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
        /// Nothing for `count(*)`.
        var argument: Expression?
        var alias: String?
    }

    enum Output: Sendable {
        case everything
        case columns([(column: Column, alias: String?)])
        case aggregates([Aggregate])
    }

    var output: Output
    /// From the document to the records, in JSON.
    var source: [Step] = []
    var condition: Expression?
    var limit: Int?

    /// Every column that it names.
    var columns: [Column] {
        let shown: [Column] =
            switch output {
            case .everything: []
            case .columns(let columns): columns.map(\.column)
            case .aggregates(let aggregates): aggregates.flatMap { $0.argument?.columns ?? [] }
            }
        return shown + (condition?.columns ?? [])
    }
}
