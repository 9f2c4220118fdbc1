import Calls
import HTTPTypes
import WireFormats

/// The error documents of the AWS Query protocol. (Smithy, "AWS query protocol", section "Operation error serialization".)
extension ServiceError {
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
