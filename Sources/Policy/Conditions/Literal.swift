import WireFormats

/// Texts of policies and requests read as the typed values that condition operators compare.
enum Literal {
    /// A decimal number; a plus sign and leading zeros are allowed, hexadecimal, infinities and white space are not.
    static func number(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.eE".utf8.contains($0) }
        guard allowed, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// A moment: ISO 8601 down to the day, minute, second or fraction, or seconds since 1970. Answered in milliseconds.
    static func date(_ text: String) -> Int64? {
        if let seconds = number(text) { return Int64(exactly: (seconds * 1000).rounded(.down)) }
        let moment =
            Timestamp(iso8601: text) ?? Timestamp(iso8601: text + "T00:00:00Z")
            ?? Timestamp(iso8601: text.prefix(16) + ":00" + text.dropFirst(16))
        return moment?.milliseconds
    }

    /// `true` or `false` in any case.
    static func bool(_ text: String) -> Bool? {
        if ExactText.equalIgnoringCase(text, "true") { return true }
        return ExactText.equalIgnoringCase(text, "false") ? false : nil
    }
}
