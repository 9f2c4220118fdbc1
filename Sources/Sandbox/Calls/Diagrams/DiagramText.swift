import WireFormats

/// Texts of diagrams. The server cannot measure a font, so widths are upper bounds, and every text is shortened to the place that it has.
package enum DiagramText {
    /// The point of a text that its coordinate names.
    package enum Anchor: String, Sendable {
        case start, middle, end
    }

    /// The font of a text.
    package enum Font: Sendable {
        case plain, bold, mono
    }

    /// The most scalars of a text that are looked at.
    private static let longest = 400
    /// How much wider bold texts are.
    private static let boldness = 1.13
    private static let ellipsis: Unicode.Scalar = "…"

    /// Returns the most pixels that a text takes in a sans-serif font.
    /// - Parameter size: the size of the font in pixels.
    package static func width(of text: String, size: Int, font: Font = .plain) -> Double {
        text.unicodeScalars.reduce(0) { $0 + advance($1, font) } * Double(size)
    }

    /// Returns a text without characters that control a terminal, change the direction of text, or are not allowed in XML (XML 1.0 section 2.2).
    package static func shown(_ text: String) -> String {
        let text = text.visible
        guard text.unicodeScalars.contains(where: isForbidden) else { return text }
        return string(text.unicodeScalars.map { isForbidden($0) ? "\u{FFFD}" : $0 })
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0xFFFE || scalar.value == 0xFFFF }

    /// Returns a text that takes at most a width, in one line and without control characters. What is too long loses its middle, because ARNs and
    /// keys differ at their ends.
    package static func fitted(_ text: String, to width: Int, size: Int, font: Font = .plain) -> String {
        let room = Double(width) / Double(size)
        var scalars = Array(shown(text).unicodeScalars.prefix(longest + 1))
        let isCut = scalars.count > longest
        if isCut { scalars[longest] = ellipsis }
        guard scalars.reduce(0, { $0 + advance($1, font) }) > room else { return string(scalars) }
        let free = room - advance(ellipsis, font)
        guard free > 0 else { return "" }
        var (head, tail) = (0, scalars.count)
        var used = 0.0
        // Three scalars of the beginning for two of the end.
        var turn = 0
        while head < tail {
            let isHead = turn % 5 < 3
            let next = advance(scalars[isHead ? head : tail - 1], font)
            guard used + next <= free else { break }
            used += next
            if isHead { head += 1 } else { tail -= 1 }
            turn += 1
        }
        // A mark does not stand without its letter.
        while tail < scalars.count, advance(scalars[tail], font) == 0 { tail += 1 }
        return string(scalars[..<head]) + "…" + string(scalars[tail...])
    }

    /// Returns a text element that stays inside its place. A text with characters whose width fonts decide is clipped as well.
    /// - Parameters:
    ///   - x: the place of the anchor.
    ///   - y: the place of the baseline.
    ///   - width: the pixels that the text may take.
    ///   - kind: classes of the stylesheet.
    package static func label(
        _ text: String, x: Int, y: Int, width: Int, size: Int = 13, anchor: Anchor = .start, kind: String = "", font: Font = .plain
    ) -> HTML {
        let shown = fitted(text, to: width, size: size, font: font)
        guard !shown.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else {
            return element(shown, x, y, size, anchor, kind, font)
        }
        let left =
            switch anchor {
            case .start: x
            case .middle: x - width / 2
            case .end: x - width
            }
        let height = size + size / 2
        return """
            <svg x="\(left)" y="\(y - size - 1)" width="\(width)" height="\(height)">\
            \(element(shown, x - left, size + 1, size, anchor, kind, font))</svg>
            """
    }

    private static func element(_ text: String, _ x: Int, _ y: Int, _ size: Int, _ anchor: Anchor, _ kind: String, _ font: Font) -> HTML {
        let classes = [kind, font == .mono ? "mono" : ""].filter { !$0.isEmpty }.joined(separator: " ")
        let kind: HTML = classes.isEmpty ? "" : " class=\"\(classes)\""
        let anchor: HTML = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        let weight: HTML = font == .bold ? " font-weight=\"600\"" : ""
        let size: HTML = size == 13 ? "" : " font-size=\"\(size)\""
        return "<text x=\"\(x)\" y=\"\(y)\"\(size)\(anchor)\(weight)\(kind)>\(text)</text>"
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Returns the most that a character advances, in parts of the font's size.
    private static func advance(_ scalar: Unicode.Scalar, _ font: Font) -> Double {
        switch font {
        case .plain: advance(scalar)
        case .bold: advance(scalar) * boldness
        case .mono: scalar.isASCII ? 0.63 : advance(scalar)
        }
    }

    /// Returns the advance in a plain font. Those of ASCII are of DejaVu Sans, the widest of the usual fonts.
    private static func advance(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        // ! ' , . : ; I i j l |
        case 0x21, 0x27, 0x2C, 0x2E, 0x3A, 0x3B, 0x49, 0x69, 0x6A, 0x6C, 0x7C: 0.41
        // Space ( ) - / [ \ ] f r t
        case 0x20, 0x28, 0x29, 0x2D, 0x2F, 0x5B...0x5D, 0x66, 0x72, 0x74: 0.42
        // % @ M W m
        case 0x25, 0x40, 0x4D, 0x57, 0x6D: 1
        // # & + < = > A–Z ~ w
        case 0x23, 0x26, 0x2B, 0x3C...0x3E, 0x41...0x5A, 0x77, 0x7E: 0.84
        case 0x20..<0x7F: 0.65
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: 0
            default: scalar.value < 0x370 ? 1 : 1.15
            }
        }
    }
}

extension HTML.Interpolation {
    /// Appends a number, such as a coordinate.
    package mutating func appendInterpolation(_ number: Int) { appendLiteral(String(number)) }
}
