import ConsoleFace
import ControlFace
import WireFormats

extension SandboxRegistry {
    /// Returns the web console of a sandbox; `nil` if it is off.
    func console(of sandbox: String) -> ConsoleFace? {
        settings.hasConsole ? ConsoleFace(access: consoleAccess(of: sandbox)) : nil
    }

    /// Returns the access rules of the web console of a sandbox.
    func consoleAccess(of sandbox: String) -> ConsoleAccess {
        let console = services.console
        // A sandbox's name has no space, so no form token is valid as a cookie.
        let (forms, cookies) = (console.scoped(to: sandbox), console.scoped(to: "sign-in cookie"))
        return ConsoleAccess(
            controlToken: settings.controlToken, formTokens: .init(forms), cookieTokens: .init(cookies),
            attempts: services.consoleSignIn, sandbox: sandbox,
            sandboxToken: { [weak self] in self?.sandbox(named: sandbox)?.record.token },
            tokens: { .init(console.scoped(to: "console \($0)")) },
            ownPort: { [port = services.consolePort] in port.value },
            endpoint: { [weak self] in self?.consoleEndpoint(of: sandbox) ?? "" })
    }

    /// The URL at which a browser reaches the services that a console shows: the port of the sandbox, or the first listener.
    private func consoleEndpoint(of name: String) -> String {
        if name != SandboxName.defaultName, let sandbox = sandbox(named: name), let url = ports.url(of: sandbox) { return url }
        return endpoints.first ?? ""
    }

    /// Returns the sandbox whose console a request at the console's own port is for. A sign-in chooses it, because the port has one address for
    /// all sandboxes. The console of that sandbox verifies the cookie.
    /// - Parameter value: the value of the sign-in cookie.
    func sandbox(ofConsoleCookie value: String) -> String? {
        guard let name = ConsoleFace.sandbox(ofCookie: value), sandbox(named: name) != nil else { return nil }
        return name
    }
}

extension ConsoleAccess.PageTokens {
    fileprivate init(_ tokens: ConsoleTokens) {
        self.init(issue: { tokens.issue(session: $0) }, session: { tokens.session(of: $0) }, end: { tokens.end(session: $0) })
    }
}
