import Policy
import WireFormats

extension ServiceError {
    /// Creates the error for a session policy, from its text and why it is not a policy.
    init(_ error: PolicySyntaxError, ofSessionPolicy text: String) {
        self.init(error)
        if let message = JSONParserMessage.message(for: text) { self.message = message }
    }
}

/// What STS says of a session policy that is not JSON: the message of its JSON parser, Jackson 1. (ansible-collections/amazon.aws#2778,
/// recorded in December 2025.)
///
/// IAM has a message of its own, and so have the kinds of errors that are not listed here.
enum JSONParserMessage {
    /// Returns the message for a text with a character that JSON does not allow there; `nil` for any other text.
    static func message(for text: String) -> String? {
        do {
            _ = try JSONValue(parsing: text)
            return nil
        } catch {
            guard error.reason == .unexpectedByte else { return nil }
            let place = text.utf8.index(text.startIndex, offsetBy: error.offset)
            let before = text.utf8[..<place]
            // Part of a longer word or number.
            if let last = before.last, isWord(last) { return nil }
            guard let expectation = expectation(after: before), let character = text.unicodeScalars[place...].first else { return nil }
            let isControl = character.properties.generalCategory == .control
            let description = isControl ? "(CTRL-CHAR, code \(character.value))" : "'\(character)' (code \(character.value))"
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) } ?? text.startIndex
            // Jackson counts columns from 1, and has read the character.
            let column = text.utf16.distance(from: start, to: place) + 2
            return "Unexpected character (\(description)): \(expectation)\n at [Source: \(source); line: \(line), column: \(column)]"
        }
    }

    /// The parser's input. In AWS its number is another one in each call.
    private static let source = "java.io.StringReader@52b5743d"

    private static func isWord(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    /// Returns what can follow the valid beginning of a document; `nil` after a complete one.
    private static func expectation(after text: Substring.UTF8View) -> String? {
        var containers: [UInt8] = []
        var last: UInt8?
        var (isInText, isEscaped, isName) = (false, false, false)
        for byte in text {
            guard !isInText else {
                isInText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "\""):
                isInText = true
                isName = containers.last == UInt8(ascii: "{") && last != UInt8(ascii: ":")
            case UInt8(ascii: "{"), UInt8(ascii: "["): containers.append(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
            default: break
            }
            last = byte
        }
        let isInObject = containers.last == UInt8(ascii: "{")
        switch last {
        case UInt8(ascii: "{"),
            UInt8(ascii: ",") where isInObject:
            return "was expecting double-quote to start field name"
        case nil, UInt8(ascii: "["), UInt8(ascii: ","), UInt8(ascii: ":"):
            return "expected a valid value (number, String, array, object, 'true', 'false' or 'null')"
        case UInt8(ascii: "\"") where isName: return "was expecting a colon to separate field name and value"
        default:
            guard !containers.isEmpty else { return nil }
            return "was expecting comma to separate \(isInObject ? "OBJECT" : "ARRAY") entries"
        }
    }
}
