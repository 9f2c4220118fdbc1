import Calls
import ControlFace
import Federation
import HTTPTypes
import Logging
import NIOCore
import ObjectStore
import Synchronization
import WireFormats

/// Where every request comes in: finds the sandbox that it is for, and lets its front door answer.
///
/// The sandbox of the listener's port counts first, so that clients with hard-coded names of real services reach it. Then comes the host's
/// label, then the header `x-virga-sandbox`, which control clients send. All other requests are for the default sandbox.
struct Entrance: Sendable {
    private let registry: SandboxRegistry
    private let names: HostNames

    init(registry: SandboxRegistry) {
        self.registry = registry
        // Once, and not for every request: the settings are many values.
        names = registry.settings.names
    }

    /// Answers one request.
    /// - Parameter sandbox: the sandbox of the listener's port, if it has one.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool, at sandbox: String?) async -> Response {
        guard let found = sandbox.map({ Destination(sandbox: $0) }) ?? destination(of: request) else {
            return await respondAsDefault(to: request, peer: peer, isSecure: isSecure)
        }
        var request = request
        if let authority = found.authority { request.authority = authority }
        if found.sandbox == SandboxName.defaultName {
            return await respondAsDefault(to: request, peer: peer, isSecure: isSecure)
        }
        do {
            let (world, sandbox) = try await registry.world(of: found.sandbox)
            sandbox.use()
            return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
        } catch {
            return refusal(error, of: found.sandbox)
        }
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
        // What a control call issues names the sandbox's own address, as if the client had used it.
        if request.target.hasPrefix("/_virga/"), names.contains(Origin.host(ofAuthority: authority)),
            let origin = Origin(url: names.url(of: name, at: "http://" + authority))
        {
            return Destination(sandbox: name, authority: origin.authority)
        }
        return Destination(sandbox: name)
    }

    /// Returns whether a label of an authority begins as the label of sandboxes does. Compares bytes, because every request passes here.
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
        if let refusal = error as? SandboxRefusal { return refusal.response }
        registry.services.logger.error(
            "A sandbox cannot be opened", metadata: ["sandbox": "\(name.visible)", "error": "\(String(describing: error).visible)"])
        return .json(
            [
                "error": "sandbox_failed",
                "message": .string("The sandbox '\(name.visible)' cannot be opened. The log of the server says why."),
            ],
            status: .serviceUnavailable)
    }
}

extension HTTPField.Name {
    /// Our own: the sandbox that a request is for.
    static let virgaSandbox = HTTPField.Name(literal: "x-virga-sandbox")
}
