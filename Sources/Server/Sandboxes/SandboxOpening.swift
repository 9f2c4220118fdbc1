import Calls
import ControlFace
import Federation
import HTTPTypes
import NIOCore
import WireFormats

/// Decides whether a request for a sandbox that is not open may cause the work of opening it.
///
/// A sandbox that does not exist is created on demand for requests that could create it with `POST /_virga/sandboxes`. A sandbox that is
/// evicted opens for every request, except those of pages that have no business with it.
struct SandboxOpening {
    let registry: SandboxRegistry
    let request: Request
    let peer: SocketAddress?
    let isSecure: Bool
    /// Whether this process sends the request itself, because a client named the URL.
    let isOwn: Bool

    /// - Throws: ``SandboxRefusal``.
    func check(_ name: String) throws(SandboxRefusal) {
        // The request as the front door of the sandbox would see it.
        var names = registry.settings.names.names(of: name, ancestors: [])
        names.emulates = EmulatedHosts.contains
        guard let cloud = registry.defaultWorld?.cloud else { throw .stopping }
        let call = Call(request: request, peer: peer, isSecure: isSecure, cloud: cloud, names: names)
        if registry.sandbox(named: name) != nil {
            guard mayOpen(call) else { throw .notOpened(name) }
        } else if registry.settings.sandboxes.onDemand != nil {
            guard mayCreate(call) else { throw .notOnDemand(name) }
        }
    }

    /// Returns whether the call may open an evicted sandbox.
    ///
    /// Applications send their users to login pages from other origins, but only in a tab: a page could open any number of sandboxes by
    /// requests that its user does not see.
    private func mayOpen(_ call: Call) -> Bool {
        guard call.isFromBrowser || call.source.isForeignPage else { return true }
        guard call.isAtKnownHost else { return false }
        guard call.source.isForeignPage else { return true }
        return call.headers[.secFetchMode] == "navigate" && call.headers[.secFetchDest] == "document"
    }

    /// Returns whether the call may create a sandbox: those with the control token; without one, programs on this machine.
    private func mayCreate(_ call: Call) -> Bool {
        let settings = registry.settings
        guard !isOwn else { return false }
        do {
            try ControlAccess(token: settings.controlToken, isLoopback: settings.isLoopback).check(call, isOfProcess: true)
        } catch {
            return false
        }
        return settings.controlToken != nil || call.source == .program
    }
}
