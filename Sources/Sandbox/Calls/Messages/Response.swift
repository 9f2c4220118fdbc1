package import HTTPTypes
import WireFormats

/// A response for the transport to send. (RFC 9110 section 6.)
package struct Response: Sendable {
    /// The HTTP status.
    package var status: HTTPResponse.Status
    /// The response headers.
    package var headers: HTTPFields
    /// Whether the response is dropped: the connection closes instead.
    package var isLost = false
    /// How browsers may use the response.
    package var display = Display.content
    /// The body. Setting it also updates `Content-Length` if the length changes.
    package var body: ResponseBody {
        didSet {
            guard body.contentLength != oldValue.contentLength else { return }
            headers[.contentLength] = body.contentLength.map { String($0) }
        }
    }

    /// Creates a response. Adds `Content-Length` if the body's length is known and the headers lack it.
    package init(status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
        if let length = body.contentLength, !headers.has(.contentLength) {
            self.headers.append(HTTPField(name: .contentLength, value: String(length)))
        }
    }

    /// Returns the response to HEAD: the same headers without a body. (RFC 9110 section 9.3.2.)
    package func createHeadResponse() -> Response {
        var response = Response(status: status, headers: headers)
        response.display = display
        return response
    }

    /// How a browser treats a response.
    package enum Display: Sendable {
        /// Data from any source. It never runs with the origin of this process.
        case content
        /// A page of this process for users. Scripts cannot read it, and it is not shown in frames.
        case page
        /// A page of this process for frames.
        case frame
    }
}
