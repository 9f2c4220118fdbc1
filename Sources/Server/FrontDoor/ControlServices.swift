package import ConsoleFace
package import ControlFace

/// What the control API and the web console of a sandbox use.
package struct ControlServices: Sendable {
    let access: ControlAccess
    let console: ConsoleFace?
    let authority: String?
    let isReady: @Sendable () -> Bool
    let sandboxKeeper: (any SandboxKeeper)?
    let process: (any ServerProcess)?

    /// - Parameters:
    ///   - access: the access rules of the control API.
    ///   - console: the web console; `nil` if it is off.
    ///   - authority: the CA certificate of this process, in PEM; `nil` without TLS.
    ///   - isReady: returns whether the start is complete.
    ///   - sandboxKeeper: keeps the sandboxes of the process.
    ///   - process: the server process.
    package init(
        access: ControlAccess, console: ConsoleFace? = nil, authority: String? = nil, isReady: @escaping @Sendable () -> Bool = { true },
        sandboxKeeper: (any SandboxKeeper)? = nil, process: (any ServerProcess)? = nil
    ) {
        self.access = access
        self.console = console
        self.authority = authority
        self.isReady = isReady
        self.sandboxKeeper = sandboxKeeper
        self.process = process
    }
}
