/// A piece of HTML. Text that is interpolated into it is escaped, so that nothing from outside can become markup.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
    /// The escaped text.
    package private(set) var text: String

    package init(stringLiteral value: String) { text = value }

    /// Text in which everything that was put in is escaped.
    package init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Escapes what is put into a literal.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// An empty text.
        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }

        /// Adds text of the literal, which is HTML.
        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds what is put in.
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Adds what is put in.
        package mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { text += piece.text }
        }

        /// Safe as text and inside quoted attributes.
        package mutating func appendInterpolation(_ value: String) {
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
    }
}
