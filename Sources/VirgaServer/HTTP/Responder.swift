import Calls
import NIOCore

/// Answers the requests that come to one listener.
///
/// A class, because every request of a connection holds it.
final class Responder: Sendable {
    private let entrance: Entrance
    private let sandbox: String?

    /// - Parameter sandbox: the sandbox that the requests are for; `nil` if each request says so.
    init(entrance: Entrance, sandbox: String?) {
        self.entrance = entrance
        self.sandbox = sandbox
    }

    /// Answers one request.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: sandbox)
    }
}
