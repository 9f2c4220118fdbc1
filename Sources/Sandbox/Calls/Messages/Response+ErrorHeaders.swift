import HTTPTypes
import WireFormats

extension Response {
    /// The most bytes of a message in a header. Clients refuse responses with long headers, and messages can quote what a client sent.
    private static let longestMessage = 4096

    /// Adds the code and the message of an error as the headers of Amazon Cognito. A long message, and one with characters that no header can
    /// have, is only in the body.
    package mutating func appendErrorHeaders(code: String, message: String) {
        headers[.errorTypeOfAWS] = code + ":"
        let line = message.replacing("\n", with: " ")
        guard line.utf8.count <= Self.longestMessage, HTTPField.isValidValue(line) else { return }
        headers[.errorMessageOfAWS] = line
    }
}

extension HTTPField.Name {
    fileprivate static let errorTypeOfAWS = HTTPField.Name(literal: "x-amzn-ErrorType")
    fileprivate static let errorMessageOfAWS = HTTPField.Name(literal: "x-amzn-ErrorMessage")
}
