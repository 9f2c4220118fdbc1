package import Calls
package import HTTPTypes
package import RequestSigning
import WireFormats

/// A request to an upstream.
package struct UpstreamOrder: Sendable {
    /// The URL of the upstream, without a path.
    package var upstream: String
    /// The request, signed for the upstream. Its authority is sent as `Host`, whatever the URL.
    package var request: SignableRequest
    /// The body.
    package var body: [UInt8]
    /// The client that waits for the answer: if it leaves, the request is canceled. `nil` for requests of the gateway itself.
    package var client: ClientPresence?

    package init(upstream: String, request: SignableRequest, body: [UInt8], client: ClientPresence? = nil) {
        self.upstream = upstream
        self.request = request
        self.body = body
        self.client = client
    }
}

/// The answer of an upstream.
package struct UpstreamAnswer: Sendable {
    /// The HTTP status.
    package var status: HTTPResponse.Status
    /// The headers as received.
    package var headers: HTTPFields
    /// The body, which is read from the upstream at the speed of its receiver.
    package var body: ResponseBody

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = ResponseBody()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why an upstream did not answer.
package struct UpstreamFailure: Error, Equatable, Sendable {
    /// The cause, such as `connection refused`.
    package let cause: String
    /// Whether there was no connection, so that nothing was sent.
    package let isUnconnected: Bool

    package init(_ cause: String, isUnconnected: Bool = false) {
        self.cause = cause
        self.isUnconnected = isUnconnected
    }

    /// Texts are equal if their bytes are.
    package static func == (left: UpstreamFailure, right: UpstreamFailure) -> Bool {
        left.cause == right.cause && left.isUnconnected == right.isUnconnected
    }
}

/// Sends a request to an upstream, and returns the answer once its head has arrived.
///
/// The implementation follows no redirects, and adds no headers but those that HTTP needs. It throws ``UpstreamFailure`` if there is no
/// answer, and `CancellationError` if the client has left.
package typealias UpstreamSend = @Sendable (UpstreamOrder) async throws -> UpstreamAnswer
