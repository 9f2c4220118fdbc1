package import HTTPTypes
import NIOCore
package import WireFormats

extension Response {
    /// Creates a short response that is complete in memory; it is sent in one buffer with its head.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], body: [UInt8]) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// Creates a response with an XML document.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], xml: XMLWriter) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: xml.withBytes { ByteBuffer(bytes: $0) }))
    }

    /// Creates a response with text.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], text: String) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Returns a response with a JSON document.
    package static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        Response(status: status, contentType: "application/json", headers: headers, body: value.serializedBytes())
    }

    /// Returns a 302 redirect to `location`, which must be a valid URL.
    package static func redirect(to location: String, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.location] = location
        return Response(status: .found, headers: headers)
    }
}
