import Calls
import NIOCore

/// Answers the requests that come to one listener.
///
/// A class, because every request of a connection holds it.
final class Responder: Sendable {
    private let entrance: Entrance
    private let sandbox: String?
    private let servesConsoleOnly: Bool

    /// - Parameters:
    ///   - sandbox: the sandbox that the requests are for; `nil` if each request says so.
    ///   - servesConsoleOnly: whether the listener serves nothing but the web console and the control API.
    init(entrance: Entrance, sandbox: String?, servesConsoleOnly: Bool) {
        self.entrance = entrance
        self.sandbox = sandbox
        self.servesConsoleOnly = servesConsoleOnly
    }

    /// Answers one request.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        if servesConsoleOnly {
            if let response = ConsoleEntrance.response(besides: request) { return response }
            let chosen = entrance.sandboxOfConsole(request)
            return await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: chosen ?? sandbox)
        }
        return await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: sandbox)
    }
}
