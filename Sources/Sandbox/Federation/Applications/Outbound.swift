package import HTTPTypes

/// A request from this process to another server, or to itself.
package struct OutboundRequest: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The absolute URL, `http` or `https`.
    package var url: String
    /// The header fields.
    package var headers: HTTPFields
    /// The body.
    package var body: [UInt8]
    /// The timeout for connecting.
    package var connectTimeout: Duration
    /// The timeout for the whole exchange.
    package var timeout: Duration
    /// The timeout for the start of the response and for each further read; `nil` if only the whole exchange has a timeout.
    package var readTimeout: Duration?
    /// The allowed TLS versions; `nil` for the library's default.
    package var tlsVersions: ClosedRange<TLSVersion>?
    /// The maximum length of the response body, in bytes.
    package var longestAnswer: Int
    /// Whether the response body is returned. If not, a body over the limit is left unread instead of causing an error.
    package var needsContent = true

    /// The versions of TLS, oldest first.
    package enum TLSVersion: Int, Comparable, Sendable {
        case tls1, tls11, tls12, tls13

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package init(
        method: HTTPRequest.Method = .get, url: String, headers: HTTPFields = [:], body: [UInt8] = [],
        connectTimeout: Duration = .seconds(10), timeout: Duration = .seconds(10), tlsVersions: ClosedRange<TLSVersion>? = nil,
        longestAnswer: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.tlsVersions = tlsVersions
        self.longestAnswer = longestAnswer
    }
}

/// The response to an outbound request.
package struct OutboundResponse: Sendable {
    /// The status code.
    package var status: Int
    /// The header fields.
    package var headers: HTTPFields
    /// The body.
    package var body: [UInt8]

    package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The reason for a missing response, where the caller must distinguish it.
package enum OutboundError: Error, Equatable {
    /// The connection or the response timed out.
    case timedOut
    /// The process sends no requests (`--no-outbound`), or none to this URL.
    case notAllowed
}

/// Sends requests. A request to one of this process's own names, or to a service that it emulates, is handled inside the process.
///
/// The implementation follows no redirects. It returns every response, whatever its status, and throws if there is none:
/// ``OutboundError/timedOut`` after a timeout, otherwise any error.
package typealias Outbound = @Sendable (OutboundRequest) async throws -> OutboundResponse
