import WireFormats

/// The types of condition key values in a simulation (IAM API Reference, "ContextEntry").
package enum ContextValueType: String, CaseIterable, Sendable {
    case string, stringList, numeric, numericList, boolean, booleanList, ip, ipList, binary, binaryList, date, dateList

    /// Whether the key can have several values.
    package var isList: Bool { rawValue.hasSuffix("List") }

    /// The expected form of a value, in the words of IAM's error.
    package var expectation: String {
        switch self {
        case .string, .stringList, .boolean, .booleanList: "a string"
        case .numeric, .numericList: "numeric format"
        case .ip, .ipList: "IP address"
        case .binary, .binaryList: "base-64 encoded binary format"
        case .date, .dateList: "DateTime format"
        }
    }

    /// Returns the value as conditions see it: numbers without sign and leading zeros, times in full; nil if the text is not a valid value.
    package func value(_ text: String) -> String? {
        switch self {
        // Every text except "true" is false.
        case .string, .stringList, .boolean, .booleanList: text
        case .numeric, .numericList: Literal.isNumber(text) ? Self.plain(text) : nil
        case .ip, .ipList: AddressRange.address(text) == nil ? nil : text
        case .binary, .binaryList: [UInt8](base64: text) == nil ? nil : text
        case .date, .dateList: Literal.date(text).map { Timestamp(milliseconds: $0).iso8601Milliseconds }
        }
    }

    private static func plain(_ number: String) -> String {
        let isNegative = number.hasPrefix("-")
        var digits = number.drop { $0 == "+" || $0 == "-" }
        while digits.hasPrefix("0"), digits.dropFirst().first?.isNumber == true { digits = digits.dropFirst() }
        return (isNegative ? "-" : "") + digits
    }
}
