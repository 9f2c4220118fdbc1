package import HTTPTypes

/// An answer for the transport to send. (RFC 9110 section 6.)
package struct Response: Sendable {
    /// The status.
    package var status: HTTPResponse.Status
    /// The header fields.
    package var headers: HTTPFields
    /// Whether nothing of it is sent: the connection ends in its place.
    package var isLost = false
    /// What browsers may do with it.
    package var display = Display.content
    /// Setting it sets `Content-Length`, too, where the length changes.
    package var body: ResponseBody {
        didSet {
            guard body.contentLength != oldValue.contentLength else { return }
            headers[.contentLength] = body.contentLength.map { String($0) }
        }
    }

    /// Adds `Content-Length` where the body knows its own and the fields do not say it.
    package init(status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
        if let length = body.contentLength, !headers.contains(.contentLength) {
            self.headers.append(HTTPField(name: .contentLength, value: String(length)))
        }
    }

    /// The same fields without content, as HEAD is answered. (RFC 9110 section 9.3.2.)
    package func createHeadResponse() -> Response {
        var response = Response(status: status, headers: headers)
        response.display = display
        return response
    }

    /// What an answer is to a browser.
    package enum Display: Sendable {
        /// Data, which may be anybody's: it never acts with the origin of this process.
        case content
        /// A page of our own for a person. Scripts cannot read it, and it is not shown in frames.
        case page
        /// A page of our own for frames.
        case frame
    }
}
