/// Every check of the signature of a request, in the order in which they are made.
package struct SignatureVerification: Sendable {
    /// The checks; the first failed one has the error that the authentication throws.
    package let checks: [VerificationCheck<AuthenticationError>]
    /// The caller and the signature, even if a check failed; `nil` if the key has no caller, or the signature cannot be read.
    package let authenticated: Authenticated?

    /// Runs an authentication; `nil` for a request that is not signed.
    init?(_ authenticate: (inout RecordingRun<AuthenticationError>) throws(AuthenticationError) -> Authenticated?) {
        var run = RecordingRun<AuthenticationError>()
        do {
            guard let authenticated = try authenticate(&run) else { return nil }
            self.authenticated = authenticated
        } catch { authenticated = nil }
        checks = run.checks
    }
}
