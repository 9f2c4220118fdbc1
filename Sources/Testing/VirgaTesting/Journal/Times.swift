/// How many requests are expected. An integer literal is the exact number.
public struct Times: Sendable, Hashable, ExpressibleByIntegerLiteral {
    let min: Int
    let max: Int?

    private init(min: Int, max: Int?) {
        self.min = min
        self.max = max
    }

    /// Exactly this number.
    public init(integerLiteral count: Int) { self = .exactly(count) }

    /// Returns one number.
    public static func exactly(_ count: Int) -> Times { Times(min: count, max: count) }

    /// Returns a number and all higher ones.
    public static func atLeast(_ count: Int) -> Times { Times(min: count, max: nil) }

    /// Returns a number and all lower ones.
    public static func atMost(_ count: Int) -> Times { Times(min: 0, max: count) }

    /// Returns a range of numbers.
    public static func between(_ range: ClosedRange<Int>) -> Times { Times(min: range.lowerBound, max: range.upperBound) }
}
