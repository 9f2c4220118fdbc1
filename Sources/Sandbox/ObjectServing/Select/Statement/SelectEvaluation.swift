import WireFormats

/// A record to which the columns of a statement refer.
protocol SelectRecord {
    /// Returns the value of a column.
    /// - Parameter isMissing: set to true if the record has no such column.
    func value(of column: SelectStatement.Column, isMissing: inout Bool) throws(SelectValue.Mismatch) -> SelectValue

    /// All values with their names.
    var everything: [(name: String, value: SelectValue)] { get }

    /// Returns the result of an aggregate over all records.
    func result(ofAggregate index: Int) -> SelectValue

    /// Limits the evaluation.
    var meter: SelectMeter { get }
}

extension SelectRecord {
    func result(ofAggregate index: Int) -> SelectValue { .null }
}

/// The results of the aggregates of a statement.
struct SelectSummary: SelectRecord {
    let results: [SelectValue]
    let meter: SelectMeter

    var everything: [(name: String, value: SelectValue)] { [] }

    func value(of column: SelectStatement.Column, isMissing: inout Bool) -> SelectValue { .null }

    func result(ofAggregate index: Int) -> SelectValue { results[index] }
}

extension SelectStatement.Expression {
    /// Evaluates the expression for a record.
    /// - Parameter isMissing: set to true if the record lacks a column that was evaluated.
    func value(in record: some SelectRecord, isMissing: inout Bool) throws(SelectValue.Mismatch) -> SelectValue {
        let value = try evaluated(in: record, isMissing: &isMissing)
        // What uses the value reads its text.
        try record.meter.spend(value.steps)
        return value
    }

    private func evaluated(in record: some SelectRecord, isMissing: inout Bool) throws(SelectValue.Mismatch) -> SelectValue {
        switch self {
        case .literal(let value): return value
        case .column(let column): return try record.value(of: column, isMissing: &isMissing)
        case .not(let inner):
            return try inner.value(in: record, isMissing: &isMissing).truth().map { .boolean(!$0) } ?? .null
        case .and(let all): return try Self.first(false, of: all, in: record, isMissing: &isMissing)
        case .or(let all): return try Self.first(true, of: all, in: record, isMissing: &isMissing)
        case .comparison(let one, let comparison, let other):
            let left = try one.value(in: record, isMissing: &isMissing)
            let right = try other.value(in: record, isMissing: &isMissing)
            return try comparison.result(left, right)
        case .between(let one, let least, let most, let isLoose):
            let value = try one.value(in: record, isMissing: &isMissing)
            let lower = try least.value(in: record, isMissing: &isMissing)
            let isAbove = try SelectStatement.Comparison.greaterOrEqual.result(value, lower, isLoose: isLoose)
            if isAbove == .boolean(false) { return isAbove }
            let upper = try most.value(in: record, isMissing: &isMissing)
            let isBelow = try SelectStatement.Comparison.lessOrEqual.result(value, upper, isLoose: isLoose)
            return isAbove == .null && isBelow == .boolean(true) ? .null : isBelow
        case .like(let inner, let pattern):
            guard let text = try inner.value(in: record, isMissing: &isMissing).text else { return .null }
            try record.meter.spend(pattern.steps(for: text.utf8.count))
            return .boolean(pattern.matches(text))
        case .isNull(let inner): return .boolean(try inner.value(in: record, isMissing: &isMissing) == .null)
        case .isIn(let inner, let constants):
            let value = try inner.value(in: record, isMissing: &isMissing)
            if value == .null { return .null }
            try record.meter.spend(value.steps * constants.count)
            for constant in constants {
                if try value.compared(to: constant) == 0 { return .boolean(true) }
            }
            return .boolean(false)
        case .concatenation(let one, let other):
            let left = try one.value(in: record, isMissing: &isMissing).text
            guard let left, let right = try other.value(in: record, isMissing: &isMissing).text else { return .null }
            guard left.utf8.count + right.utf8.count <= SelectRun.longestRecord else { throw SelectValue.Mismatch(.length) }
            return .text(left + right)
        case .cast(let inner, let kind): return try inner.value(in: record, isMissing: &isMissing).cast(to: kind)
        case .arithmetic(let one, let arithmetic, let other):
            let left = try one.value(in: record, isMissing: &isMissing).number()
            return try arithmetic.result(left, try other.value(in: record, isMissing: &isMissing).number())
        case .looseComparison(let one, let comparison, let other):
            let left = try one.value(in: record, isMissing: &isMissing)
            let right = try other.value(in: record, isMissing: &isMissing)
            return try comparison.result(left, right, isLoose: true)
        case .isMissing(let inner):
            var isGone = false
            return .boolean(try inner.value(in: record, isMissing: &isGone) == .null && isGone)
        case .isAmong(let inner, let others):
            let value = try inner.value(in: record, isMissing: &isMissing)
            if value == .null { return .null }
            for other in others {
                let other = try other.value(in: record, isMissing: &isMissing)
                try record.meter.spend(value.steps)
                if value.isSame(as: other) { return .boolean(true) }
            }
            return .boolean(false)
        case .isElement(let inner, let array):
            let value = try inner.value(in: record, isMissing: &isMissing)
            let elements = try array.value(in: record, isMissing: &isMissing)
            if value == .null || elements == .null { return .null }
            if case .composite(let node) = elements { try record.meter.spend(node.breadth * (value.steps + 20)) }
            guard case .composite(let node) = elements, case .array(let nodes) = node.content else { return .boolean(false) }
            return .boolean(nodes.contains { $0.value(takesNumbersAsTexts: false).isSame(as: value) })
        case .choice(let subject, let cases, let otherwise):
            let subject = try subject?.value(in: record, isMissing: &isMissing)
            for one in cases {
                try record.meter.spend(subject?.steps ?? 0)
                var condition = try one.condition.value(in: record, isMissing: &isMissing)
                if let subject { condition = try SelectStatement.Comparison.equal.result(subject, condition, isLoose: true) }
                guard try condition.truth() == true else { continue }
                return try one.value.value(in: record, isMissing: &isMissing)
            }
            return try otherwise?.value(in: record, isMissing: &isMissing) ?? .null
        case .convert(let inner, let kind): return try inner.value(in: record, isMissing: &isMissing).converted(to: kind)
        case .aggregate(let index): return record.result(ofAggregate: index)
        case .call(let function, let arguments): return try function.value(arguments, in: record, isMissing: &isMissing)
        }
    }
}

extension SelectStatement.Expression {
    /// Returns `decisive` if one expression has that value; otherwise null if one of them is null, or else the opposite of `decisive`.
    fileprivate static func first(
        _ decisive: Bool, of all: [SelectStatement.Expression], in record: some SelectRecord, isMissing: inout Bool
    ) throws(SelectValue.Mismatch) -> SelectValue {
        var isKnown = true
        for one in all {
            let truth = try one.value(in: record, isMissing: &isMissing).truth()
            if truth == decisive { return .boolean(decisive) }
            if truth == nil { isKnown = false }
        }
        return isKnown ? .boolean(!decisive) : .null
    }
}

extension SelectStatement.Comparison {
    /// Returns whether the comparison is true; null if a value is null.
    /// - Parameter isLoose: whether values of different types are unequal. Otherwise they are an error.
    fileprivate func result(
        _ left: SelectValue, _ right: SelectValue, isLoose: Bool = false
    ) throws(SelectValue.Mismatch) -> SelectValue {
        guard isLoose else { return try left.compared(to: right).map { .boolean(holds($0)) } ?? .null }
        if left == .null || right == .null { return .null }
        return .boolean(left.looselyCompared(to: right).map { holds($0) } ?? (self == .unequal))
    }

    /// Whether the comparison is true for an order.
    /// - Parameter order: the order of the left value relative to the right one.
    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .unequal: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension SelectStatement.Arithmetic {
    /// Calculates the result. It is an integer for integers, and a floating-point number if the integer overflows.
    fileprivate func result(_ one: SelectValue, _ other: SelectValue) throws(SelectValue.Mismatch) -> SelectValue {
        if case (.integer(let left), .integer(let right)) = (one, other) {
            let (whole, overflow) =
                switch self {
                case .plus: left.addingReportingOverflow(right)
                case .minus: left.subtractingReportingOverflow(right)
                case .times: left.multipliedReportingOverflow(by: right)
                case .divided: left.dividedReportingOverflow(by: right)
                case .modulo: left.remainderReportingOverflow(dividingBy: right)
                }
            if !overflow { return .integer(whole) }
        }
        guard let left = one.fraction, let right = other.fraction else { return .null }
        let result =
            switch self {
            case .plus: left + right
            case .minus: left - right
            case .times: left * right
            case .divided: left / right
            case .modulo: left.truncatingRemainder(dividingBy: right)
            }
        guard result.isFinite else { throw SelectValue.Mismatch(.division) }
        return .double(result)
    }
}

/// The state of an aggregate over the records so far.
struct SelectAccumulator: Sendable {
    let aggregate: SelectStatement.Aggregate
    private var count: Int64 = 0
    /// The sum, maximum or minimum.
    private var value = SelectValue.null

    init(_ aggregate: SelectStatement.Aggregate) { self.aggregate = aggregate }

    mutating func add(_ record: some SelectRecord, isMissing: inout Bool) throws(SelectValue.Mismatch) {
        guard let argument = aggregate.argument else {
            count += 1
            return
        }
        var next = try argument.value(in: record, isMissing: &isMissing)
        if aggregate.function != .count, case .timestamp = next {
            // Timestamps cannot be added.
            guard aggregate.function == .maximum || aggregate.function == .minimum else { throw SelectValue.Mismatch() }
        } else if aggregate.function != .count {
            next = try next.number()
        }
        guard next != .null else { return }
        count += 1
        guard value != .null else {
            value = next
            return
        }
        switch aggregate.function {
        case .count: break
        case .sum, .average: value = try SelectStatement.Arithmetic.plus.result(value, next)
        case .maximum: if try next.compared(to: value) ?? 0 > 0 { value = next }
        case .minimum: if try next.compared(to: value) ?? 0 < 0 { value = next }
        }
    }

    var result: SelectValue {
        switch aggregate.function {
        case .count: .integer(count)
        case .average: value.fraction.map { .double($0 / Double(count)) } ?? .null
        case .sum, .maximum, .minimum: value
        }
    }
}
