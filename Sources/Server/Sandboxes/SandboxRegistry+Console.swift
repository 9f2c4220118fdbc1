import ConsoleFace
import ControlFace
import WireFormats

extension SandboxRegistry {
    /// Returns the web console of a sandbox; `nil` if it is off.
    func console(of sandbox: String, _ record: Sandbox.Record) -> ConsoleFace? {
        settings.hasConsole ? ConsoleFace(access: consoleAccess(of: sandbox, record)) : nil
    }

    /// Returns the tokens of the pages of a sandbox's console.
    func pageTokens(of sandbox: String, _ record: Sandbox.Record) -> ConsoleTokens {
        services.console.scoped(to: record.identity(of: sandbox))
    }

    /// Returns the access rules of the web console of a sandbox.
    func consoleAccess(of sandbox: String, _ record: Sandbox.Record) -> ConsoleAccess {
        let console = services.console
        // No identity of a sandbox begins with these two words, so no form token is valid as a cookie.
        let (forms, cookies) = (pageTokens(of: sandbox, record), console.scoped(to: "sign-in cookie"))
        return ConsoleAccess(
            controlToken: settings.controlToken, formTokens: .init(forms), cookieTokens: .init(cookies),
            attempts: services.consoleSignIn, sandbox: sandbox,
            sandboxToken: { [weak self] in self?.sandbox(named: sandbox)?.record.token },
            tokens: { [weak self] purpose, sandbox in
                guard let sandbox else { return .init(console.scoped(to: "console \(purpose)")) }
                guard let known = self?.sandbox(named: sandbox) else { return .none }
                return .init(console.scoped(to: "console \(purpose) \(known.record.identity(of: sandbox))"))
            },
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

extension Sandbox.Record {
    /// Returns what tells a sandbox from earlier ones of the same name: the name, which has no space, and the time of its creation.
    fileprivate func identity(of name: String) -> String { "\(name) \(created.milliseconds)" }
}

extension ConsoleAccess.PageTokens {
    fileprivate init(_ tokens: ConsoleTokens) {
        self.init(issue: { tokens.issue(session: $0) }, session: { tokens.session(of: $0) }, end: { tokens.end(session: $0) })
    }
}
