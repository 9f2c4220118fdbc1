extension String {
    /// The text for a terminal or a log. Characters that would end the line, control the terminal or change the direction of text are
    /// percent-encoded.
    package var visible: String {
        // Nearly every text is printable ASCII.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            guard needsEscape(scalar) else { return result.unicodeScalars.append(scalar) }
            result += encoded(scalar)
        }
    }

    /// The text for a header of a response: as ``visible``, with all non-ASCII characters percent-encoded.
    package var visibleInASCII: String {
        visible.unicodeScalars.reduce(into: "") { $0 += $1.isASCII ? String($1) : encoded($1) }
    }
}

private func encoded(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
}

/// Returns whether a character is a control character, a line separator, or one that is invisible or changes the direction of text.
private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    default: false
    }
}
