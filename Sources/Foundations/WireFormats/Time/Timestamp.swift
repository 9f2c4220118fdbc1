#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A point in time in UTC with millisecond resolution. It is encoded as the number of milliseconds.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    package var milliseconds: Int64

    /// Creates the time `milliseconds` after 1970-01-01T00:00:00Z.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Creates the time `seconds` after 1970-01-01T00:00:00Z, clamped to the range of milliseconds.
    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package var seconds: Int64 { floorDivide(milliseconds, by: 1000).quotient }

    /// Whole days since 1970-01-01, rounded down.
    package var day: Int64 { floorDivide(milliseconds, by: 86_400_000).quotient }

    /// Reads the machine's clock. Only a sandbox's clock should call it.
    package static func now() -> Timestamp {
        // Two words instead of a `timespec`, whose members debug and release builds find in different modules.
        var time = (seconds: 0, nanoseconds: 0)
        withUnsafeMutablePointer(to: &time) { words in
            _ = words.withMemoryRebound(to: timespec.self, capacity: 1) { clock_gettime(CLOCK_REALTIME, $0) }
        }
        return Timestamp(milliseconds: Int64(time.seconds) * 1000 + Int64(time.nanoseconds) / 1_000_000)
    }

    /// The times that a stored time can be. Sums of them and of durations, also in microseconds, do not overflow.
    private static let storable: ClosedRange<Int64> = -(1 << 53)...(1 << 53)

    /// Creates a time that was stored, which is brought within 285,000 years of 1970: a file can contain any number.
    package init(stored milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.storable.lowerBound), Self.storable.upperBound)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        milliseconds = try container.decode(Int64.self)
        guard Self.storable.contains(milliseconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the time \(milliseconds) is out of range")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Returns the time `duration` later, in whole milliseconds, clamped to the range of milliseconds.
    package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (sum < 0 ? .max : .min) : sum)
    }

    /// Returns the time `duration` earlier, in whole milliseconds, clamped to the range of milliseconds.
    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        let (difference, overflow) = moment.milliseconds.subtractingReportingOverflow(duration.wholeMilliseconds)
        return Timestamp(milliseconds: overflow ? (difference < 0 ? .max : .min) : difference)
    }

    /// Returns the time from `right` to `left`; negative if `left` is earlier.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded towards zero and clamped to the range of the type.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || carried ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Divides and rounds towards negative infinity, so that the remainder is never negative.
func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
