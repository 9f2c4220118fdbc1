/// Names and values in the format of Java properties files, in the order of their lines.
/// (Java Platform SE API, `java.util.Properties.load` and `store`.)
package struct Properties: Hashable, Sendable {
    /// A line with a name and a value.
    package struct Entry: Hashable, Sendable {
        /// The name, unescaped.
        package var name: String
        /// The value, unescaped.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A syntax error in a file.
    package struct Fault: Error, Hashable {
        /// The number of the line, from 1.
        package var line: Int
        /// What is expected in the line, for display to users.
        package var expected: String
    }

    /// The entries, in the order of the file.
    package var entries: [Entry]

    /// Creates a file of entries.
    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// Parses a file in UTF-8, or in Latin-1 if it is not valid UTF-8. If a name is repeated, the later value replaces the earlier.
    /// - Throws: ``Fault``.
    package init(parsing bytes: [UInt8]) throws(Fault) {
        let text = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        var scanner = PropertiesScanner(text)
        entries = []
        while let entry = try scanner.next() {
            entries.removeAll { $0.name == entry.name }
            entries.append(entry)
        }
    }

    /// The file in ASCII; all other characters are escaped.
    package var text: String {
        entries.map { entry in
            "\(Self.escaped(entry.name, isName: true))=\(Self.escaped(entry.value, isName: false))\n"
        }.joined()
    }

    private static func escaped(_ text: String, isName: Bool) -> String {
        var escaped = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case " " where isName || index == 0: escaped += "\\ "
            case "\t": escaped += "\\t"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\u{0C}": escaped += "\\f"
            case "=", ":", "#", "!", "\\":
                escaped += "\\"
                escaped.unicodeScalars.append(scalar)
            case "\u{20}"..."\u{7E}": escaped.unicodeScalars.append(scalar)
            default:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return escaped
    }
}

/// Reads the entries of a properties file one by one.
private struct PropertiesScanner {
    private var rest: Substring.UnicodeScalarView
    private var line = 1

    init(_ text: String) { rest = text.unicodeScalars[...] }

    /// Returns the next name and value, or `nil` at the end.
    mutating func next() throws(Properties.Fault) -> Properties.Entry? {
        while true {
            skipBlanks()
            guard let first = rest.first else { return nil }
            if isLineEnd(first) {
                endLine()
            } else if first == "#" || first == "!" {
                // A comment extends to the end of its line, whatever it contains.
                while let scalar = rest.first, !isLineEnd(scalar) { rest.removeFirst() }
            } else {
                break
            }
        }
        let name = try text { isBlank($0) || $0 == "=" || $0 == ":" }
        skipBlanks()
        if let sign = rest.first, sign == "=" || sign == ":" {
            rest.removeFirst()
            skipBlanks()
        }
        return Properties.Entry(name: name, value: try text { _ in false })
    }

    /// Returns the text up to the end of the line, or up to the first unescaped scalar for which `endsAt` is true.
    private mutating func text(endsAt: (Unicode.Scalar) -> Bool) throws(Properties.Fault) -> String {
        var units: [UInt16] = []
        while let scalar = rest.first, !isLineEnd(scalar), !endsAt(scalar) {
            rest.removeFirst()
            guard scalar == "\\" else {
                units += String(scalar).utf16
                continue
            }
            guard let escaped = rest.first else { break }
            if isLineEnd(escaped) {
                endLine()
                skipBlanks()
                continue
            }
            rest.removeFirst()
            switch escaped {
            case "t": units.append(0x09)
            case "n": units.append(0x0A)
            case "r": units.append(0x0D)
            case "f": units.append(0x0C)
            case "u":
                let digits = rest.prefix(4)
                guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit), let unit = UInt16(String(digits), radix: 16)
                else {
                    throw Properties.Fault(line: line, expected: "four hexadecimal digits after \\u")
                }
                rest.removeFirst(4)
                units.append(unit)
            default: units += String(escaped).utf16
            }
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw Properties.Fault(line: line, expected: "complete UTF-16 surrogate pairs")
        }
        return text
    }

    private mutating func skipBlanks() {
        while let scalar = rest.first, isBlank(scalar) { rest.removeFirst() }
    }

    /// Skips one line end; CR LF counts as one.
    private mutating func endLine() {
        if rest.removeFirst() == "\r", rest.first == "\n" { rest.removeFirst() }
        line += 1
    }
}

private func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\u{0C}" }

private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
