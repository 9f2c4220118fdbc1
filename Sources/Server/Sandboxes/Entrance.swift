import Calls
import ConsoleFace
import ControlFace
import Federation
import HTTPTypes
import Logging
import NIOCore
import ObjectStore
import Synchronization
import WireFormats

/// Finds the sandbox of each request and passes the request to its front door.
///
/// The sandbox is determined by the first of these that applies:
/// 1. the port of the listener, so that clients with hard-coded names of real services reach it;
/// 2. a label of the host;
/// 3. the header `x-virga-sandbox`, which clients of the control API send.
///
/// Every other request is for the default sandbox.
struct Entrance: Sendable {
    private let registry: SandboxRegistry
    private let names: HostNames
    /// The proxies whose headers about the client are believed; `nil` for none.
    let trustedProxies: TrustedProxies?
    /// Whether the process is being drained.
    let drain: Drain
    /// The memory of unread responses.
    let memory: ResponseMemory
    /// The unread responses that were built as a whole.
    let documents: UnreadDocuments

    init(registry: SandboxRegistry) {
        self.registry = registry
        // Copied once and not for every request, because the settings are large.
        names = registry.settings.names
        trustedProxies = registry.settings.trustedProxies
        drain = registry.services.drain
        memory = registry.services.memory
        documents = registry.services.documents
    }

    /// The limits of connections.
    var limits: ConnectionLimits { registry.settings.connectionLimits }

    /// Whether the start is complete.
    var isReady: Bool { registry.settings.isReady() }

    /// Answers one request.
    /// - Parameters:
    ///   - sandbox: the sandbox of the listener's port, if it has one.
    ///   - isOwn: whether this process sends the request itself.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool, at sandbox: String?, isOwn: Bool = false) async -> Response {
        guard let found = sandbox.map({ Destination(sandbox: $0) }) ?? destination(of: request) else {
            return await respondAsDefault(to: request, peer: peer, isSecure: isSecure)
        }
        return await respond(to: request, peer: peer, isSecure: isSecure, at: found, isOwn: isOwn)
    }

    @inline(never)
    private func respond(
        to request: Request, peer: SocketAddress?, isSecure: Bool, at found: Destination, isOwn: Bool
    ) async -> Response {
        var request = request
        if let authority = found.authority { request.authority = authority }
        if found.sandbox == SandboxName.defaultName {
            return await respondAsDefault(to: request, peer: peer, isSecure: isSecure)
        }
        if let sandbox = registry.sandbox(named: found.sandbox), let world = sandbox.world {
            sandbox.use()
            return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
        }
        do {
            try SandboxOpening(registry: registry, request: request, peer: peer, isSecure: isSecure, isOwn: isOwn).check(found.sandbox)
            let (world, sandbox) = try await registry.world(of: found.sandbox)
            sandbox.use()
            return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
        } catch {
            return refusal(error, of: found.sandbox)
        }
    }

    /// Returns the sandbox that the sign-in of a browser chose at the console's own port.
    func sandboxOfConsole(_ request: Request) -> String? {
        ConsoleFace.cookie(of: request).flatMap(registry.sandbox(ofConsoleCookie:))
    }

    private func respondAsDefault(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        guard let world = registry.defaultWorld else { return Response(status: .serviceUnavailable) }
        return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
    }

    /// Where a request goes, if it says so.
    private struct Destination {
        var sandbox: String
        /// The authority that replaces that of the request.
        var authority: String?
    }

    private func destination(of request: Request) -> Destination? {
        let authority = request.authority
        if Self.mayNameSandbox(authority) {
            let host = authority.prefix { $0 != ":" }.lowercased()
            if let found = names.sandboxHost(host) { return Destination(sandbox: found.name) }
        }
        guard let name = request.headers.value(of: .virgaSandbox) else { return nil }
        // What a control call issues contains the sandbox's own address, as if the client had used that.
        if name != SandboxName.defaultName, request.target.hasPrefix("/_virga/"), names.contains(Origin.host(ofAuthority: authority)),
            let origin = Origin(url: names.url(of: name, at: "http://" + authority))
        {
            return Destination(sandbox: name, authority: origin.authority)
        }
        return Destination(sandbox: name)
    }

    /// Returns whether a label of an authority begins like the label of sandboxes. Compares bytes, because every request needs it.
    private static func mayNameSandbox(_ authority: String) -> Bool {
        let bytes = authority.utf8
        guard bytes.count > "x.sandbox.y".utf8.count else { return false }
        return bytes.withContiguousStorageIfAvailable { bytes in
            (1..<bytes.count - 2).contains { place in
                bytes[place] == UInt8(ascii: ".") && bytes[place + 1] | 0x20 == UInt8(ascii: "s")
                    && bytes[place + 2] | 0x20 == UInt8(ascii: "a")
            }
        } ?? true
    }

    private func refusal(_ error: any Error, of name: String) -> Response {
        (error as? SandboxRefusal ?? registry.sandboxFailed(error, name)).response
    }
}

extension HTTPField.Name {
    /// The sandbox of a request; a header of our own.
    static let virgaSandbox = HTTPField.Name(literal: "x-virga-sandbox")
}
