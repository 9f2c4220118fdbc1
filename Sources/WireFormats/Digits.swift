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
