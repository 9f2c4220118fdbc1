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
    let registry: SandboxRegistry

    /// Answers one request.
    /// - Parameter sandbox: the sandbox of the listener's port, if it has one.
    func respond(to request: Request, peer: SocketAddress?, isSecure: Bool, at sandbox: String?) async -> Response {
        var request = request
        guard let name = sandbox ?? addressedSandbox(&request), name != SandboxName.defaultName else {
            guard let world = registry.defaultWorld else { return Response(status: .serviceUnavailable) }
            return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
        }
        do {
            let (world, sandbox) = try await registry.world(of: name)
            sandbox.use()
            return await world.door.respond(to: request, peer: peer, isSecure: isSecure)
        } catch {
            return refusal(error, of: name)
        }
    }

    private func addressedSandbox(_ request: inout Request) -> String? {
        let authority = request.authority
        if authority.utf8.count > "x.sandbox.y".utf8.count {
            let host = authority.prefix { $0 != ":" }.lowercased()
            if let found = registry.settings.names.sandboxHost(host) { return found.name }
        }
        guard let name = request.headers.value(of: .virgaSandbox) else { return nil }
        // What a control call issues names the sandbox's own address, as if the client had used it.
        if request.target.hasPrefix("/_virga/"), registry.settings.names.contains(Origin.host(ofAuthority: authority)),
            let origin = Origin(url: registry.settings.names.url(of: name, at: "http://" + authority))
        {
            request.authority = origin.authority
        }
        return name
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
