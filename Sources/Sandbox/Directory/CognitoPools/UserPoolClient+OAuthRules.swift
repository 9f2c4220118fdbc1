import WireFormats

extension UserPoolClient.OAuth {
    /// Why settings for hosted pages are refused.
    package struct Fault: Error, Equatable {
        /// The kinds of errors of the service.
        package enum Kind: Sendable {
            case parameter, flow, scope, limit
        }

        /// The kind.
        package let kind: Kind
        /// The text of the service. Texts of which no public report is known are Virga's.
        package let message: String

        init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
    }

    /// Checks the settings of a client. (Amazon Cognito User Pools API Reference, CreateUserPoolClient.)
    /// - Parameters:
    ///   - pool: the identifier of the pool.
    ///   - hasSecret: whether the client has a secret.
    ///   - known: the scopes of the pool.
    ///   - names: the names of the identity providers of the pool.
    package func check(in pool: String, hasSecret: Bool, scopes known: [String], providers names: [String]) throws(Fault) {
        for provider in providers where provider != Self.ownProvider && !names.contains(provider) {
            throw Fault(.parameter, "The provider \(provider) does not exist for User Pool \(pool).")
        }
        for scope in scopes where !known.contains(scope) { throw Fault(.scope, "Invalid scope requested: \(scope)") }
        guard scopes.count <= 50 else { throw Fault(.limit, "An app client can have at most 50 scopes.") }
        guard callbackURLs.count <= 100 else { throw Fault(.limit, "An app client can have at most 100 callback URLs.") }
        guard logoutURLs.count <= 100 else { throw Fault(.limit, "An app client can have at most 100 logout URLs.") }
        for url in callbackURLs + logoutURLs { try Self.check(url: url) }
        if let defaultRedirectURI, !callbackURLs.contains(defaultRedirectURI) {
            throw Fault(.parameter, "The default redirect URI must be one of the callback URLs.")
        }
        try checkFlows(hasSecret: hasSecret)
    }

    private func checkFlows(hasSecret: Bool) throws(Fault) {
        guard !isEnabled || (!flows.isEmpty && !scopes.isEmpty) else {
            throw Fault(
                .parameter, "AllowedOAuthFlows and AllowedOAuthScopes are required if user pool client is allowed to use OAuth flows.")
        }
        guard flows.contains(.clientCredentials) else {
            guard flows.isEmpty || !callbackURLs.isEmpty else {
                throw Fault(.flow, "CallbackUrls can not be empty when code flow or implicit flow is selected")
            }
            return
        }
        guard flows.count == 1 else {
            throw Fault(.flow, "client_credentials flow can not be selected along with code flow or implicit flow")
        }
        guard hasSecret else {
            throw Fault(.flow, "client_credentials flow can not be selected if client does not have a client secret")
        }
        if let scope = scopes.first(where: { UserPoolScope.all.contains($0) }) {
            throw Fault(.flow, "\(scope) is not supported with client_credentials flow")
        }
    }

    /// Schemes of URLs that a browser executes or opens itself. A page at such a URL would receive the tokens.
    private static let ownSchemes = ["javascript", "data", "vbscript", "file", "blob", "about"]

    /// Checks a URL: absolute, without a fragment, and with `https`, a scheme of an app, or `http` on the user's own machine.
    private static func check(url: String) throws(Fault) {
        guard (1...1024).contains(url.utf8.count), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), let first = url.utf8.first, isLetter(first),
            url.utf8[..<colon].allSatisfy({ isLetter($0) || 0x30...0x39 ~= $0 || "+-.".utf8.contains($0) })
        else { throw Fault(.parameter, "\(url) is not an absolute URL.") }
        guard !url.utf8.contains(UInt8(ascii: "#")) else { throw Fault(.parameter, "\(url) cannot have a fragment.") }
        let scheme = String(url[..<colon]).lowercasedASCII
        guard !ownSchemes.contains(scheme) else { throw Fault(.parameter, "\(url) cannot use the \(scheme) scheme.") }
        guard scheme == "http" || scheme == "https" else { return }
        let rest = String(url[colon...].dropFirst())
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard rest.hasPrefix("//"), !authority.isEmpty, !authority.contains("@") else {
            throw Fault(.parameter, "\(url) is not an absolute URL.")
        }
        guard scheme == "https" || isOwnMachine(String(authority)) else {
            throw Fault(.parameter, "\(url) cannot use the HTTP protocol.")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }

    private static func isOwnMachine(_ authority: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { authority == $0 || authority.hasPrefix($0 + ":") }
    }
}
