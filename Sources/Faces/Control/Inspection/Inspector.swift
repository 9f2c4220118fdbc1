package import Calls
package import Cloud
package import Directory
package import Federation
import WireFormats

/// What the front door lends to the inspection of tokens.
package struct InspectionServices: Sendable {
    /// Verifies a token as `AssumeRoleWithWebIdentity` does for a role, or for any role of an account.
    package var verifyWebIdentity:
        @Sendable (_ token: String, _ providerID: String?, _ account: String, _ role: String?, HostNames) async throws -> WebIdentity
    /// Returns the content of a session token of this sandbox, and the checks that its vendor makes of it; `nil` for another text.
    package var checkSession: @Sendable (_ token: String) -> (content: SessionCredentials, checks: [ServiceCheck])?
    /// Returns the checks that a relying party makes of an ID token.
    package var checkIDToken: @Sendable (_ token: String, RelyingParty, HostNames) async throws -> [ServiceCheck]
    /// Returns the checks that `AssumeRoleWithSAML` makes of a response for a role and a provider.
    package var checkSAMLResponse: @Sendable (_ text: String, _ role: String, SAMLTrust, Call) async throws -> [ServiceCheck]
    /// Returns the checks that the mobile cloud makes of one of its tokens.
    package var checkMobileToken: @Sendable (_ token: String, Call) async throws -> [ServiceCheck]
    /// Returns the checks that each service makes of the policy of a form in base64.
    package var checkPostPolicy: @Sendable (_ text: String, SandboxClock) -> [(service: String, checks: [ServiceCheck])]
    /// Returns the checks that the addressed service makes of a presigned request; `nil` if the request is not signed.
    package var verifyPresigned: @Sendable (Call) -> RequestVerification?

    /// - Parameters:
    ///   - verifyWebIdentity: verifies a token as `AssumeRoleWithWebIdentity` does for a role, or for any role of an account.
    ///   - checkSession: returns the content of a session token of this sandbox, and the checks that its vendor makes of it.
    ///   - checkIDToken: returns the checks that a relying party makes of an ID token.
    ///   - checkSAMLResponse: returns the checks that `AssumeRoleWithSAML` makes of a response for a role and a provider.
    ///   - checkMobileToken: returns the checks that the mobile cloud makes of one of its tokens.
    ///   - checkPostPolicy: returns the checks that each service makes of the policy of a form in base64.
    ///   - verifyPresigned: returns the checks that the addressed service makes of a presigned request.
    package init(
        verifyWebIdentity:
            @escaping @Sendable (_ token: String, _ providerID: String?, _ account: String, _ role: String?, HostNames) async throws ->
            WebIdentity,
        checkSession: @escaping @Sendable (_ token: String) -> (content: SessionCredentials, checks: [ServiceCheck])?,
        checkIDToken: @escaping @Sendable (_ token: String, RelyingParty, HostNames) async throws -> [ServiceCheck],
        checkSAMLResponse: @escaping @Sendable (_ text: String, _ role: String, SAMLTrust, Call) async throws -> [ServiceCheck],
        checkMobileToken: @escaping @Sendable (_ token: String, Call) async throws -> [ServiceCheck],
        checkPostPolicy: @escaping @Sendable (_ text: String, SandboxClock) -> [(service: String, checks: [ServiceCheck])],
        verifyPresigned: @escaping @Sendable (Call) -> RequestVerification?
    ) {
        self.verifyWebIdentity = verifyWebIdentity
        self.checkSession = checkSession
        self.checkIDToken = checkIDToken
        self.checkSAMLResponse = checkSAMLResponse
        self.checkMobileToken = checkMobileToken
        self.checkPostPolicy = checkPostPolicy
        self.verifyPresigned = verifyPresigned
    }
}

/// Recognizes a pasted text, decodes it, and checks it against this sandbox.
struct Inspector {
    let call: Call
    let services: InspectionServices?
    /// The expected values: `audience`, `nonce`, `recipient`, `backend`, `accessToken`.
    let expected: [String: String]

    var cloud: Cloud { call.cloud }

    /// Inspects a text. The most specific kind is tried first.
    func inspect(_ text: String) async throws -> Inspection {
        let text = text.trimmingSpaceAround.withoutWrapping
        if text.hasPrefix("{"), let found = inspect(postPolicy: Array(text.utf8)) { return found }
        if let object = Self.object(text) { return inspect(document: object) }
        if let url = presignedURL(text) { return url }
        if let found = try await inspect(jwt: text) { return found }
        if let found = inspect(signedRequest: text) { return found }
        if let found = try await inspect(saml: text) { return found }
        if let bytes = [UInt8](base64: text.filter { !$0.isWhitespace }), let found = inspect(postPolicy: bytes) { return found }
        if let found = try await inspect(opaque: text) { return found }
        if let found = inspect(session: text) { return found }
        if let found = inspect(authorizationMessage: text) { return found }
        return describe(unknown: text)
    }

    static func object(_ text: String) -> JSONObject? { (try? JSONValue(parsing: text))?.objectValue }

    /// The time of the sandbox, for details.
    var now: String { cloud.clock.now.iso8601 }
}

extension String {
    /// The text without spaces and line ends at both ends.
    fileprivate var trimmingSpaceAround: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// The text without quotation marks around it, and without `Bearer ` of an Authorization header.
    fileprivate var withoutWrapping: String {
        var text = self
        for quote in ["\"", "'"] where text.count > 1 && text.hasPrefix(quote) && text.hasSuffix(quote) {
            text = String(text.dropFirst().dropLast()).trimmingSpaceAround
        }
        for prefix in ["authorization:", "bearer "] where text.lowercased().hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count)).trimmingSpaceAround
        }
        return text
    }
}
