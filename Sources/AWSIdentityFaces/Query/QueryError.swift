import Calls
package import HTTPTypes
import WireFormats

/// An error of a service of the AWS Query protocol, sent as its XML error document.
/// (Smithy, "AWS query protocol", section "Operation error serialization".)
package struct QueryError: Error, Equatable, Sendable {
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

    /// The party at fault, as in the error document.
    private var type: String { status.code < 500 ? "Sender" : "Receiver" }

    func response(namespace: String, requestID: String) -> Response {
        var xml = XMLWriter()
        xml.element("ErrorResponse", namespace: namespace) { xml in
            xml.element("Error") { xml in
                xml.element("Type", type)
                xml.element("Code", code)
                xml.element("Message", Self.wellFormed(message))
            }
            xml.element("RequestId", requestID)
        }
        return Response(
            status: status, contentType: "text/xml", headers: [.amazonRequestID: requestID], body: xml.bytes)
    }

    func jsonResponse(requestID: String) -> Response {
        .json(
            ["Error": ["Code": .string(code), "Message": .string(message), "Type": .string(type)], "RequestId": .string(requestID)],
            status: status, headers: [.amazonRequestID: requestID])
    }

    /// Replaces characters that XML documents cannot contain, because messages quote the request (XML 1.0 section 2.2).
    private static func wellFormed(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar) ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension HTTPField.Name {
    /// The header `x-amzn-RequestId`, which SDKs display.
    static let amazonRequestID = HTTPField.Name(literal: "x-amzn-RequestId")
}
