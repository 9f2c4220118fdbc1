/// What the console needs to know about who may use it: the tokens of its pages, its sign-in and its own port.
package struct ConsoleAccess: Sendable {
    /// The token of the control API, which the console sends with its calls; `nil` for none.
    let controlToken: String?
    /// Issues and verifies the tokens in forms and for the script.
    let formTokens: PageTokens
    /// Issues and verifies the values of the sign-in cookie.
    let cookieTokens: PageTokens
    /// Checks the control token and the one-time code of a sign-in.
    let attempts: SignInAttempts
    /// The sandbox of the console.
    let sandbox: String
    /// The token of the sandbox's own control calls, with which the console of a student calls; `nil` if the process needs no token.
    let sandboxToken: @Sendable () -> String?
    /// Returns tokens for a purpose, such as the cookies of students: in one sandbox, or in the process.
    let tokens: @Sendable (_ purpose: String, _ sandbox: String?) -> PageTokens
    /// The port that serves the console and nothing else; `nil` if there is none.
    let ownPort: @Sendable () -> Int?
    /// The URL of the first listener, which serves everything, or of the sandbox's own port.
    let endpoint: @Sendable () -> String

    /// Functions that issue and verify tokens for one purpose.
    package struct PageTokens: Sendable {
        let issue: @Sendable (_ session: String) -> String?
        let session: @Sendable (_ token: String) -> String?
        let end: @Sendable (_ session: String) -> Void

        /// - Parameters:
        ///   - issue: returns a token for a session.
        ///   - session: returns the session of a token; `nil` for an invalid one.
        ///   - end: ends a session, whose tokens become invalid.
        package init(
            issue: @escaping @Sendable (_ session: String) -> String?, session: @escaping @Sendable (_ token: String) -> String?,
            end: @escaping @Sendable (_ session: String) -> Void
        ) {
            (self.issue, self.session, self.end) = (issue, session, end)
        }

        /// No token is issued, and none is valid.
        package static let none = PageTokens(issue: { _ in nil }, session: { _ in nil }, end: { _ in })
    }

    /// - Parameters:
    ///   - controlToken: the token of the control API; `nil` for none.
    ///   - formTokens: tokens for forms and the script.
    ///   - cookieTokens: tokens for the sign-in cookie; never valid as form tokens.
    ///   - attempts: the attempts to sign in, one value for the whole process.
    ///   - sandbox: the sandbox of the console.
    ///   - sandboxToken: returns the token of the sandbox's own control calls.
    ///   - tokens: returns tokens for a purpose in a sandbox, or in the process. They are valid for no other purpose and no other sandbox.
    ///   - ownPort: returns the port that serves the console only.
    ///   - endpoint: returns the URL of the first listener, or of the sandbox's own port.
    package init(
        controlToken: String?, formTokens: PageTokens, cookieTokens: PageTokens, attempts: SignInAttempts,
        sandbox: String = "default", sandboxToken: @escaping @Sendable () -> String? = { nil },
        tokens: @escaping @Sendable (_ purpose: String, _ sandbox: String?) -> PageTokens = { _, _ in .none },
        ownPort: @escaping @Sendable () -> Int? = { nil },
        endpoint: @escaping @Sendable () -> String
    ) {
        self.controlToken = controlToken
        self.formTokens = formTokens
        self.cookieTokens = cookieTokens
        self.attempts = attempts
        self.sandbox = sandbox
        self.sandboxToken = sandboxToken
        self.tokens = tokens
        self.ownPort = ownPort
        self.endpoint = endpoint
    }
}
