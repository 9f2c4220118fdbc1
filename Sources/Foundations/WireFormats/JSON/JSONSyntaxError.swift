/// Why and where ``JSONValue`` rejected a text as a JSON document.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of syntax errors.
    package enum Reason: String, Hashable, Sendable {
        case unexpectedEnd = "the document ends too early"
        case unexpectedByte = "this character is not allowed here"
        case trailingBytes = "unexpected content after the value"
        case invalidNumber = "this is not a valid JSON number"
        case numberOutOfRange = "this number is too large"
        case invalidEscape = "this escape is unknown, incomplete or half of a surrogate pair"
        case invalidUTF8 = "this string is not UTF-8"
        case controlCharacter = "a control character in a string must be escaped"
        case duplicateName = "this member name is a duplicate"
        case tooDeep = "arrays and objects are nested too deeply"
    }

    /// What is wrong.
    package var reason: Reason
    /// The offset of the error in bytes from the start of the document.
    package var offset: Int

    package var description: String { "\(reason.rawValue) (at byte \(offset))" }
}
