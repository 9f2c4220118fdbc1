import ControlFace
import Logging
import NIOCore
import NIOSSL
import Synchronization
import WireFormats

/// Opens ports for sandboxes. Every client can use a port, while names below `localhost` do not resolve everywhere.
final class SandboxPorts: Sendable {
    private let binder: Mutex<ListenerBinder?> = Mutex(nil)

    /// Enables ports of sandboxes.
    func start(_ binder: ListenerBinder) { self.binder.withLock { $0 = binder } }

    /// Opens a port.
    /// - Parameters:
    ///   - range: the ports to choose from; `nil` for any.
    ///   - taken: ports of the range that are known to be used.
    ///   - former: the port that the sandbox had in an earlier process. It is preferred if it is free.
    /// - Throws: ``SandboxRefusal/noPortLeft(range:)``, or `ListenError`.
    func open(
        _ sandbox: String, in range: ClosedRange<Int>?, besides taken: Set<Int>, former: Int?, secure: Bool
    ) async throws -> (any Channel)? {
        guard let binder = binder.withLock({ $0 }) else { throw SandboxRefusal.stopping }
        guard !secure || binder.security != nil else { return nil }
        if let former, range?.contains(former) ?? true, let channel = try? await binder.bind(port: former, secure: secure, sandbox: sandbox)
        {
            return channel
        }
        guard let range else { return try await binder.bind(port: 0, secure: secure, sandbox: sandbox) }
        for port in range where !taken.contains(port) {
            do {
                return try await binder.bind(port: port, secure: secure, sandbox: sandbox)
            } catch let error as ListenError where error.isInUse {
                continue
            }
        }
        throw SandboxRefusal.noPortLeft(range: "\(range.lowerBound)-\(range.upperBound)")
    }

    /// Closes the connections to a port that is closed, so that clients which keep them do not miss the next sandbox at the port.
    func closeConnections(to port: Int) async { await binder.withLock { $0?.connections }?.quiesce(port: port) }

    /// The URL of a sandbox's port for plain HTTP, if it has one.
    func url(of sandbox: Sandbox) -> String? {
        guard let host = binder.withLock({ $0?.reachableHost }), let port = sandbox.listeners.first?.localAddress?.port else { return nil }
        return "http://\(host):\(port)"
    }

    /// The URL of a sandbox's port for HTTP over TLS, if it has one.
    func secureURL(of sandbox: Sandbox) -> String? {
        let listeners = sandbox.listeners
        guard let host = binder.withLock({ $0?.reachableHost }), listeners.count > 1, let port = listeners[1].localAddress?.port else {
            return nil
        }
        return "https://\(host):\(port)"
    }
}

extension SandboxRegistry {
    /// Opens the ports that sandboxes had in an earlier process, or others. If none is free, the sandbox has no port.
    func reopenPorts() async {
        for sandbox in state.withLock({ $0.sandboxes.values.sorted { $0.name < $1.name } }) where !sandbox.record.ports.isEmpty {
            do {
                let former = sandbox.record.ports
                try await openPorts(of: sandbox, former: former)
                for (former, port) in zip(former, sandbox.ports) where port != former {
                    services.logger.warning(
                        "A sandbox has another port than before, which another program uses",
                        metadata: ["sandbox": "\(sandbox.name.visible)", "former": "\(former)", "port": "\(port)"])
                }
            } catch {
                services.logger.warning(
                    "A sandbox has no port any more", metadata: ["sandbox": "\(sandbox.name)", "reason": "\(error)"])
            }
        }
    }

    /// Opens the ports of a sandbox, if it has none yet: one for HTTP, and one for TLS if the process has TLS.
    /// - Parameter former: the ports that the sandbox had in an earlier process.
    /// - Throws: ``SandboxRefusal``, or `ListenError`.
    func openPorts(of sandbox: Sandbox, former: [Int] = []) async throws {
        guard sandbox.listeners.isEmpty else { return }
        // One for HTTP and one for TLS.
        guard Descriptors().hasRoom(for: 2) else { throw SandboxRefusal.noDescriptorLeft }
        for (index, secure) in [false, true].enumerated() {
            let taken = state.withLock { Set($0.ports.keys) }
            let channel = try await ports.open(
                sandbox.name, in: settings.sandboxes.ports, besides: taken, former: former.count > index ? former[index] : nil,
                secure: secure)
            guard let channel else { continue }
            sandbox.add(channel)
            if let port = channel.localAddress?.port { state.withLock { $0.ports[port] = sandbox.name } }
        }
    }

    /// Closes the ports of all sandboxes.
    func closePorts() async {
        for sandbox in state.withLock({ Array($0.sandboxes.values) }) { await closePorts(of: sandbox) }
    }

    /// Closes the ports of a sandbox.
    func closePorts(of sandbox: Sandbox) async {
        for channel in sandbox.listeners {
            let port = channel.localAddress?.port
            if let port { state.withLock { $0.ports[port] = nil } }
            try? await channel.close()
            if let port { await ports.closeConnections(to: port) }
        }
    }
}
