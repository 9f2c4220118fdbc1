import WireFormats

/// A fragment of HTML. Interpolated text is escaped, so untrusted input cannot become markup.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The HTML text.
    package private(set) var text: String

    /// The beginning of every document, up to its title.
    package static let documentStart: HTML = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">

        """

    package init(stringLiteral value: String) { text = value }

    /// Creates a fragment from an interpolated literal; interpolated values are escaped.
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Escapes the values that are interpolated into a literal.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty text.
        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        /// Appends literal text, which is HTML.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends a fragment.
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Appends several fragments.
        package mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { text += piece.text }
        }

        /// Appends escaped text, which is safe as content and inside quoted attributes.
        package mutating func appendInterpolation(_ value: String) {
            // Most values have nothing to escape.
            guard value.utf8.contains(where: Self.isEscaped) else { return text += value }
            for scalar in value.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }

        private static func isEscaped(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
            default: false
            }
        }
    }
}
