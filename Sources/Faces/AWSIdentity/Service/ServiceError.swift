import Calls
package import HTTPTypes

/// An error of an AWS service. Its wire protocol decides how it is sent. (Smithy, "AWS protocols".)
package struct ServiceError: Error, Equatable, Sendable {
    /// The error code on the wire.
    package var code: String
    /// The HTTP status.
    package var status: HTTPResponse.Status
    /// The message.
    package var message: String

    package init(_ code: String, _ status: HTTPResponse.Status, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }
}

extension HTTPField.Name {
    /// The header `x-amzn-RequestId`, which SDKs display.
    static let amazonRequestID = HTTPField.Name(literal: "x-amzn-RequestId")
}
