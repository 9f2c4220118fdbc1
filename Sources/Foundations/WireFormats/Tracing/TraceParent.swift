/// The position of a request in a distributed trace: the value of the header `traceparent`. (W3C Trace Context, section 3.2.)
package struct TraceParent: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64
    private let flags: UInt8

    /// Creates a value.
    /// - Parameters:
    ///   - trace: the trace ID, at least one half of which is not zero.
    ///   - span: the span ID, which is not zero.
    ///   - flags: the trace flags.
    package init(trace: (high: UInt64, low: UInt64), span: UInt64, flags: UInt8) {
        (high, low) = trace
        self.span = span
        self.flags = flags
    }

    /// Parses the value of a header.
    /// - Returns: `nil` for a malformed value. A value of a later version is read as far as version 00 defines it.
    package init?(parsing text: String) {
        var text = text
        let parsed = text.withUTF8 { bytes -> TraceParent? in
            guard bytes.count >= Self.length, bytes[2] == Self.hyphen, bytes[35] == Self.hyphen, bytes[52] == Self.hyphen,
                let version = Self.number(bytes[0..<2]), version != 0xFF, let high = Self.number(bytes[3..<19]),
                let low = Self.number(bytes[19..<35]), let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
                high | low != 0, span != 0
            else { return nil }
            if bytes.count > Self.length, version == 0 || bytes[Self.length] != Self.hyphen { return nil }
            return TraceParent(trace: (high, low), span: span, flags: UInt8(flags))
        }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Returns another span of the same trace. Flags that version 00 does not define are cleared.
    /// - Parameter span: the span ID, which is not zero.
    package func child(span: UInt64) -> TraceParent { TraceParent(trace: (high, low), span: span, flags: flags & Self.knownFlags) }

    /// The trace ID, as 32 hexadecimal digits.
    package var traceID: String { Self.digits(high, 16) + Self.digits(low, 16) }

    /// The span ID, as 16 hexadecimal digits.
    package var spanID: String { Self.digits(span, 16) }

    /// The trace flags, as two hexadecimal digits.
    package var traceFlags: String { Self.digits(UInt64(flags), 2) }

    /// The value of the header.
    package var text: String { "00-\(traceID)-\(spanID)-\(traceFlags)" }

    /// The length of a value of version 00.
    private static let length = 55
    private static let hyphen = UInt8(ascii: "-")
    /// `sampled`, and `random` of Level 2.
    private static let knownFlags: UInt8 = 0b11

    /// Returns the value of lower-case hexadecimal digits; `nil` for any other text.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var value: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return value
    }

    private static func digits(_ value: UInt64, _ count: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: count - text.utf8.count) + text
    }
}
