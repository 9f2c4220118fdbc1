import Calls
import NIOCore
import WireFormats

/// Answers the requests that come to one listener.
///
/// A class, because every request of a connection holds it.
final class Responder: Sendable {
    private let entrance: Entrance
    private let sandbox: String?
    private let purpose: ListenerPurpose
    private let trustedProxies: TrustedProxies?
    /// Whether the process is being drained.
    let drain: Drain
    /// The memory of unread responses.
    let memory: ResponseMemory
    /// The unread responses that were built as a whole.
    let documents: UnreadDocuments

    /// - Parameters:
    ///   - sandbox: the sandbox that the requests are for; `nil` if each request says so.
    ///   - purpose: what the listener serves.
    init(entrance: Entrance, sandbox: String?, purpose: ListenerPurpose) {
        self.entrance = entrance
        self.sandbox = sandbox
        self.purpose = purpose
        trustedProxies = entrance.trustedProxies
        drain = entrance.drain
        memory = entrance.memory
        documents = entrance.documents
    }

    /// Returns whether a peer is a proxy whose headers about the client are believed.
    func trusts(_ peer: SocketAddress?) -> Bool { trustedProxies?.contains(peer) ?? false }

    /// Answers one request.
    /// - Parameter isForwarded: whether the peer is a proxy whose headers about the client are believed.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool, isForwarded: Bool) async -> Response {
        // Most requests do without the frame for the others.
        if isForwarded || purpose != .everything {
            return await respondSpecially(to: request, peer: peer, isSecure: isSecure, isForwarded: isForwarded)
        }
        return await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: sandbox)
    }

    @inline(never)
    private func respondSpecially(to request: Request, peer: SocketAddress?, isSecure: Bool, isForwarded: Bool) async -> Response {
        guard isForwarded, let trustedProxies else { return await respond(to: request, peer: peer, isSecure: isSecure) }
        let client = trustedProxies.client(of: request, peer: peer, isSecure: isSecure)
        var request = request
        request.authority = client.authority
        request.forwarding = client.isUnknown ? .unknownClient : .trusted
        return await respond(to: request, peer: client.address, isSecure: client.isSecure)
    }

    private func respond(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        switch purpose {
        case .everything: return await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: sandbox)
        case .console:
            if let response = ConsoleEntrance.response(besides: request) { return response }
            var request = request
            request.isAtConsolePort = true
            let chosen = entrance.sandboxOfConsole(request)
            return await entrance.respond(to: request, peer: peer, isSecure: isSecure, at: chosen ?? sandbox)
        case .health: return HealthEntrance.response(to: request, isReady: entrance.isReady)
        }
    }
}
