import Calls
import Federation
import HTTPTypes
import WireFormats

/// The errors of AWS's protocols with JSON documents. (Smithy, "AWS JSON 1.1 protocol" and "AWS restJson1 protocol", sections "Operation error
/// serialization".)
extension ServiceError {
    /// The error with the code that services with JSON documents have for it.
    var inJSON: ServiceError {
        let inJSON = AuthenticationRefusal.codeInJSON(code)
        return ServiceError(inJSON, status, code == Self.missingToken.code ? "Missing Authentication Token" : message)
    }

    /// Returns the response of a service of the protocols AWS JSON 1.0 and 1.1.
    /// - Parameters:
    ///   - contentType: that of the protocol's version.
    ///   - messageMember: the member with the message.
    func response(inJSON contentType: String, messageMember: String = "message", requestID: String) -> Response {
        let document: JSONValue = ["__type": .string(code), messageMember: .string(message)]
        return Response(
            status: status, contentType: contentType, headers: [.amazonRequestID: requestID], body: document.serializedBytes())
    }

    /// Returns the response of a service of the REST JSON protocol.
    func responseInREST(requestID: String) -> Response {
        .json(
            ["message": .string(message)], status: status, headers: [.amazonRequestID: requestID, .amazonErrorType: code])
    }
}

extension HTTPField.Name {
    /// The header with the error code in the REST JSON protocol.
    static let amazonErrorType = HTTPField.Name(literal: "x-amzn-ErrorType")
}
