package import HTTPTypes
import NIOCore
package import WireFormats

extension Response {
    /// A small answer that is complete in memory; it leaves as one buffer with its head.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], body: [UInt8]) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// An answer with content of this type.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], xml: XMLWriter) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: xml.withBytes { ByteBuffer(bytes: $0) }))
    }

    /// An answer with content of this type.
    package init(status: HTTPResponse.Status, contentType: String, headers: HTTPFields = [:], text: String) {
        var headers = headers
        headers[.contentType] = contentType
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// An answer with a JSON document.
    package static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        Response(status: status, contentType: "application/json", headers: headers, body: value.serializedBytes())
    }

    /// 302 to `location`, which must already be a valid URL.
    package static func redirect(to location: String, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.location] = location
        return Response(status: .found, headers: headers)
    }
}
