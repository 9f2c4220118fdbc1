package import HTTPTypes

/// A request as the transport received it. (RFC 9110 section 6.)
package struct Request: Sendable {
    /// The HTTP method.
    package let method: HTTPRequest.Method
    /// The path and query as received.
    package let target: String
    /// The `host[:port]` that the client used; `headers` does not contain it.
    package var authority: String
    /// The headers without `Host`.
    package let headers: HTTPFields
    /// The body.
    package let body: RequestBody
    /// Whether the listener that accepted the connection serves the web console only. No header can change it.
    package var isAtConsolePort = false
    /// How it came to this process, as far as the listener knows.
    package var forwarding = Forwarding.direct
    /// Whether the client still waits; `nil` for requests without a connection.
    package var client: ClientPresence?

    package init(method: HTTPRequest.Method, target: String, authority: String, headers: HTTPFields, body: RequestBody) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
    }

    /// Creates a request from the pseudo-headers of HTTP/2.
    package init(head: HTTPRequest, body: RequestBody) {
        self.init(
            method: head.method, target: head.path ?? "/", authority: head.authority ?? "", headers: head.headerFields, body: body)
    }
}
