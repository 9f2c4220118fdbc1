/// Whole numbers in the decimal digits of ASCII, as protocols write them. Swift's own reading also takes a plus sign, which no service
/// takes where it says a number.
extension FixedWidthInteger {
    /// The number that a text of digits writes.
    /// - Returns: nothing for a text that is empty or holds anything but digits, and for a number too large.
    package init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(text, radix: 10)
    }

    /// The number that digits write, perhaps behind a minus sign: for where a number below zero is refused in words of its own.
    /// - Returns: nothing for a text that is no such number, and for a number too large.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(text, radix: 10)
    }
}
