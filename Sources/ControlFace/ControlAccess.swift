import Calls
import Cryptography
import Federation
import HTTPTypes

/// The access rules of the control API.
package struct ControlAccess: Sendable {
    private let token: String?
    private let sandboxToken: String?
    private let isLoopback: Bool

    /// - Parameters:
    ///   - token: the token that every call except the open ones requires; `nil` for none.
    ///   - sandboxToken: a token that opens the sandbox's own calls and no calls of the process.
    ///   - isLoopback: whether only this machine can reach the listeners; then no token is needed.
    package init(token: String?, sandboxToken: String? = nil, isLoopback: Bool) {
        self.token = token
        self.sandboxToken = sandboxToken
        self.isLoopback = isLoopback
    }

    enum Refusal: Error {
        case tokenMissing, tokenWrong
        /// Other machines can reach the listeners, and no token is configured.
        case closed
        /// A page of any origin sent the request, and no token is configured.
        case page
        /// No token is configured, and the host is not a name of this process (DNS rebinding).
        case foreignHost
    }

    /// Whether pages may call. They need the token, whatever their origin.
    var admitsPages: Bool { token != nil }

    /// - Parameter isOfProcess: whether the call concerns the process and not one sandbox.
    func check(_ call: Call, isOfProcess: Bool) throws(Refusal) {
        guard let token else {
            guard isLoopback else { throw .closed }
            guard call.names.contains(call.host) else { throw .foreignHost }
            switch call.source {
            case .program, .browser: return
            // A user may open a read-only URL in a browser; nothing is changed.
            case .person where call.method == .get || call.method == .head: return
            case .person, .ownPage, .foreignPage: throw .page
            }
        }
        guard let presented = call.headers[.authorization] else { throw .tokenMissing }
        guard presented.lowercased().hasPrefix("bearer ") else { throw .tokenWrong }
        let text = String(presented.dropFirst("bearer ".count))
        if !isOfProcess, let sandboxToken, constantTimeEquals(text, sandboxToken) { return }
        guard constantTimeEquals(text, token) else { throw .tokenWrong }
    }

    /// Responds to a CORS preflight request. (Fetch Standard, "CORS-preflight request".)
    func preflight() throws(Refusal) -> Response {
        guard admitsPages else { throw isLoopback ? .page : .closed }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, POST, PUT, DELETE", .accessControlAllowHeaders: "Authorization, Content-Type",
                .accessControlMaxAge: "600",
            ])
    }
}
