package import HTTPTypes

/// A request that this process makes of another server, or of itself.
package struct OutboundRequest: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The absolute URL, `http` or `https`.
    package var url: String
    /// The header fields.
    package var headers: HTTPFields
    /// The content.
    package var body: [UInt8]
    /// The time in which the connection must be made.
    package var connectTimeout: Duration
    /// For the whole exchange.
    package var timeout: Duration
    /// For the answer to begin, and for each further piece of it; absent where the whole exchange alone has an end.
    package var readTimeout: Duration?
    /// What is spoken over TLS, at least and at most; absent for what the library speaks.
    package var tlsVersions: ClosedRange<TLSVersion>?
    /// Bytes that the answer's content may have.
    package var longestAnswer: Int
    /// Whether the answer's content is returned; without it, content over the limit is left unread instead of refused.
    package var needsContent = true

    /// Of the protocol, oldest first.
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

/// What came back.
package struct OutboundResponse: Sendable {
    /// The status code.
    package var status: Int
    /// The header fields.
    package var headers: HTTPFields
    /// The content.
    package var body: [UInt8]

    package init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no answer, as far as that makes a difference.
package enum OutboundError: Error, Equatable {
    /// The server could not be reached in time, or has not answered in time.
    case timedOut
}

/// Makes requests. One whose URL means this process, by one of its names or by that of a service that it plays, does not leave it.
///
/// It follows no redirection and throws whatever kept the server from answering, ``OutboundError/timedOut`` where that was time; every answer
/// is a response.
package typealias Outbound = @Sendable (OutboundRequest) async throws -> OutboundResponse
