import Calls
import Cryptography
import Federation
import HTTPTypes

/// Who may use the control API.
package struct ControlAccess: Sendable {
    private let token: String?
    private let isLoopback: Bool

    /// - Parameters:
    ///   - token: required of every call but `health`, if there is one.
    ///   - isLoopback: whether only this machine can reach the listeners; then a token is not needed.
    package init(token: String?, isLoopback: Bool) {
        self.token = token
        self.isLoopback = isLoopback
    }

    enum Refusal: Error {
        case tokenMissing, tokenWrong
        /// The listeners can be reached from elsewhere and no token was set.
        case closed
        /// A page sent the request, of whatever origin, and no token was set.
        case page
        /// No token is needed, and the host is no name of this process: a page whose name was bound to this address.
        case foreignHost
    }

    /// Whether pages can call: they need the token, whatever their origin.
    var admitsPages: Bool { token != nil }

    func check(_ call: Call) throws(Refusal) {
        guard let token else {
            guard isLoopback else { throw .closed }
            guard call.names.contains(call.host) else { throw .foreignHost }
            switch call.source {
            case .program, .browser: return
            // A person looks something up; nothing is changed by that.
            case .person where call.method == .get || call.method == .head: return
            case .person, .ownPage, .foreignPage: throw .page
            }
        }
        guard let presented = call.headers[.authorization] else { throw .tokenMissing }
        guard presented.lowercased().hasPrefix("bearer "), constantTimeEquals(String(presented.dropFirst("bearer ".count)), token)
        else { throw .tokenWrong }
    }

    /// Answers a browser that asks whether a page may call. (Fetch Standard, "CORS-preflight request".)
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
