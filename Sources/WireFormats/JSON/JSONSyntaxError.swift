/// Why a text is not a JSON document as ``JSONValue`` reads it, and where.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: String, Hashable, Sendable {
        case unexpectedEnd = "the document ends too early"
        case unexpectedByte = "this character is not allowed here"
        case trailingBytes = "something follows the value"
        case invalidNumber = "this is not a number of JSON"
        case numberOutOfRange = "this number is too large"
        case invalidEscape = "this escape is unknown, incomplete or half of a surrogate pair"
        case invalidUTF8 = "this string is not UTF-8"
        case controlCharacter = "a control character in a string must be escaped"
        case duplicateName = "this member name was there before"
        case tooDeep = "too many containers are nested"
    }

    /// What is wrong.
    package var reason: Reason
    /// Bytes from the start of the document to the fault.
    package var offset: Int

    package var description: String { "\(reason.rawValue) (at byte \(offset))" }
}
