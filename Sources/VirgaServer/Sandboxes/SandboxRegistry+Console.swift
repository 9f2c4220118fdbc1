import ConsoleFace
import ControlFace

extension SandboxRegistry {
    /// Returns the web console of a sandbox; `nil` if it is off.
    func console(of sandbox: String) -> ConsoleFace? {
        guard settings.hasConsole else { return nil }
        // A sandbox's name has no space, so no form token is valid as a cookie.
        let (forms, cookies) = (services.console.scoped(to: sandbox), services.console.scoped(to: "sign-in cookie"))
        return ConsoleFace(
            access: ConsoleAccess(
                controlToken: settings.controlToken, formTokens: .init(forms), cookieTokens: .init(cookies),
                attempts: services.consoleSignIn, ownPort: { [port = services.consolePort] in port.value },
                endpoint: { [weak self] in self?.endpoints.first ?? "" }))
    }
}

extension ConsoleAccess.PageTokens {
    fileprivate init(_ tokens: ConsoleTokens) {
        self.init(issue: { tokens.issue(session: $0) }, session: { tokens.session(of: $0) }, end: { tokens.end(session: $0) })
    }
}
