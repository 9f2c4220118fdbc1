/// Integers in ASCII decimal digits, as protocols write them. Swift's own initializers also accept a plus sign, which no service
/// accepts in a number.
extension FixedWidthInteger {
    /// Parses a text of decimal digits.
    /// - Returns: `nil` if the text is empty, contains anything but digits, or the number is too large.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(text, radix: 10)
    }

    /// Parses decimal digits with an optional minus sign, for callers that reject a negative number with its own error.
    /// - Returns: `nil` if the text is not such a number, or the number is too large.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(text, radix: 10)
    }
}

// Most numbers, such as each `Content-Length`, are parsed by these. A call of the generic initializer takes forty times as long.

extension Int {
    /// Parses a text of decimal digits.
    /// - Returns: `nil` if the text is empty, contains anything but digits, or the number is too large.
    package init?(digits text: String) {
        guard let number = Int64(digits: text) else { return nil }
        self.init(exactly: number)
    }
}

extension Int64 {
    /// Parses a text of decimal digits.
    /// - Returns: `nil` if the text is empty, contains anything but digits, or the number is too large.
    package init?(digits text: String) {
        var text = text
        let number = text.withUTF8 { digits -> Int64? in
            guard !digits.isEmpty else { return nil }
            var number: Int64 = 0
            for digit in digits {
                guard 0x30...0x39 ~= digit else { return nil }
                let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, overflows) = product.addingReportingOverflow(Int64(digit - 0x30))
                guard !isTooLarge, !overflows else { return nil }
                number = sum
            }
            return number
        }
        guard let number else { return nil }
        self = number
    }
}
