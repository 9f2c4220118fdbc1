package import HTTPTypes

/// A request as the transport received it. (RFC 9110 section 6.)
package struct Request: Sendable {
    /// The method.
    package let method: HTTPRequest.Method
    /// Path and query as received.
    package let target: String
    /// The host as addressed, `host[:port]`; it stands in no field.
    package let authority: String
    /// The header fields, without `Host`.
    package let headers: HTTPFields
    /// The content.
    package let body: RequestBody

    package init(method: HTTPRequest.Method, target: String, authority: String, headers: HTTPFields, body: RequestBody) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
    }

    /// A request with the pseudo-header fields of HTTP/2.
    package init(head: HTTPRequest, body: RequestBody) {
        self.init(
            method: head.method, target: head.path ?? "/", authority: head.authority ?? "", headers: head.headerFields, body: body)
    }
}
