import WireFormats

/// The byte range in a `Range` header. (RFC 9110 section 14.1.2.)
package enum ByteRange: Hashable {
    /// From a first to a last position, zero-based and inclusive; to the end if there is no last position.
    case from(Int64, through: Int64?)
    /// The last bytes, by their number.
    case suffix(Int64)

    /// Parses `bytes=…` with a single range; `nil` for any other form. RFC 9110 allows servers to ignore such a header, and S3 does.
    package init?(header: some StringProtocol) {
        let unit = "bytes="
        guard header.utf8.starts(with: unit.utf8) else { return nil }
        let spec = header.utf8.dropFirst(unit.utf8.count)
        guard let dash = spec.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let first = spec[..<dash]
        let last = spec[dash...].dropFirst()
        if first.isEmpty {
            guard let count = Self.number(last) else { return nil }
            self = .suffix(count)
        } else {
            guard let start = Self.number(first) else { return nil }
            if last.isEmpty {
                self = .from(start, through: nil)
            } else {
                guard let end = Self.number(last), start <= end else { return nil }
                self = .from(start, through: end)
            }
        }
    }

    /// Returns the range within a body of `size` bytes; `nil` if it cannot be satisfied. A suffix of an empty body is empty.
    package func resolved(size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let start, through: let end):
            guard start < size else { return nil }
            guard let end, end < size else { return start..<size }
            return start..<(end + 1)
        case .suffix(let count):
            guard count > 0 else { return nil }
            return max(0, size - count)..<size
        }
    }

    /// Parses a decimal number; one that overflows becomes the maximum.
    private static func number(_ digits: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        var isEmpty = true
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            isEmpty = false
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = tens.addingReportingOverflow(Int64(digit - 0x30))
            value = overflow || carried ? .max : sum
        }
        return isEmpty ? nil : value
    }
}
