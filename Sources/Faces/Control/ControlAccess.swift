package import Calls
import Cryptography
import Federation
package import HTTPTypes
import WireFormats

/// The access rules of the control API.
package struct ControlAccess: Sendable {
    private let token: String?
    private let sandboxToken: String?
    private let isLoopback: Bool
    /// The tokens of the web console's pages.
    package let console: ConsoleTokens

    /// - Parameters:
    ///   - token: the token that every call except the open ones requires; `nil` for none.
    ///   - sandboxToken: a token that opens the sandbox's own calls and no calls of the process.
    ///   - isLoopback: whether only this machine can reach the listeners; then no token is needed.
    ///   - console: the tokens of the web console's pages.
    package init(token: String?, sandboxToken: String? = nil, isLoopback: Bool, console: ConsoleTokens = ConsoleTokens()) {
        self.token = token
        self.sandboxToken = sandboxToken
        self.isLoopback = isLoopback
        self.console = console
    }

    /// Why a call is refused.
    package enum Refusal: Error {
        case tokenMissing, tokenWrong
        /// Other machines can reach the listeners, and no token is configured.
        case closed
        /// A page of any origin sent the request, and no token is configured.
        case page
        /// No token is configured, and the host is not a name of this process (DNS rebinding).
        case foreignHost
    }

    /// Whether pages of any origin may call. They need the control token.
    var admitsPages: Bool { token != nil }

    /// Whether a control token is configured.
    var hasToken: Bool { token != nil }

    /// Returns whether a text contains the control token or the token of the sandbox, which the journal must not contain.
    package func isSecret(_ text: String) -> Bool {
        for case let secret? in [token, sandboxToken] where !secret.isEmpty && text.contains(secret) { return true }
        return false
    }

    /// - Parameters:
    ///   - isOfProcess: whether the call concerns the process and not one sandbox.
    ///   - isForPages: whether the call of the process also accepts the token of a page of the console, unless it is a student's page.
    package func check(_ call: Call, isOfProcess: Bool, isForPages: Bool = false) throws(Refusal) {
        guard let token else {
            // A trusted proxy may report that the client is elsewhere.
            guard isLoopback, call.isFromThisMachine else { throw .closed }
            guard call.names.contains(call.host) else { throw .foreignHost }
            if consoleSession(of: call) != nil { return }
            switch call.source {
            case .program, .browser: return
            // A user may open a read-only URL in a browser; nothing is changed.
            case .person where call.method == .get || call.method == .head: return
            case .person, .ownPage, .foreignPage: throw .page
            }
        }
        if !isOfProcess || isForPages, let session = consoleSession(of: call), !isOfProcess || !Classroom.isOfStudent(session) { return }
        guard let presented = call.headers[.authorization] else { throw .tokenMissing }
        guard presented.lowercased().hasPrefix("bearer ") else { throw .tokenWrong }
        let text = String(presented.dropFirst("bearer ".count))
        if !isOfProcess, let sandboxToken, constantTimeEquals(text, sandboxToken) { return }
        guard constantTimeEquals(text, token) else { throw .tokenWrong }
    }

    /// Returns the session of the web console's page that sent the call.
    ///
    /// The header proves it. Only the page itself has the token: other sites cannot read it, and frames do not show it. A page of another
    /// origin that has the token cannot send it either: browsers ask before they send this header, and preflights do not allow it.
    /// `Origin` and `Sec-Fetch-Site` prove nothing more, and browsers send neither when a script reads from its own origin over plain HTTP.
    private func consoleSession(of call: Call) -> String? {
        guard let token = call.headers[.consoleToken], !call.source.isForeignPage, call.source != .person, call.names.contains(call.host)
        else { return nil }
        return console.session(of: token)
    }

    /// Returns whether other APIs that change the sandbox, and have callers of their own, are open to a call: if only this machine can reach
    /// the listeners, or if a control token shows that the server is meant for others.
    package func admitsAdministration(by call: Call) -> Bool { hasToken || isLoopback && call.isFromThisMachine }

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

extension HTTPField.Name {
    /// A header of Virga's own: the token of the web console's page that sends the call.
    package static let consoleToken = HTTPField.Name(literal: "x-virga-console")
}
