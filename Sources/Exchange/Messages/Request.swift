package import HTTPTypes

/// A request as the transport received it. (RFC 9110 section 6.)
package struct Request: Sendable {
    /// Method, target and fields; the authority is the host as addressed and stands in no field.
    package let head: HTTPRequest
    package let body: RequestBody

    package init(head: HTTPRequest, body: RequestBody) {
        self.head = head
        self.body = body
    }

    package var method: HTTPRequest.Method { head.method }

    package var headers: HTTPFields { head.headerFields }
}
