import WireFormats

/// Every check that a service makes of a signed request before it asks for permission.
package struct RequestVerification: Sendable {
    /// The checks, in the order in which the service makes them; the first failed one has the error that the service returns.
    package var checks: [ServiceCheck]
    /// The caller of the signature's key, even if a check failed; `nil` if the key has none.
    package var caller: Caller?

    package init(checks: [ServiceCheck], caller: Caller?) {
        self.checks = checks
        self.caller = caller
    }

    /// - Parameters:
    ///   - verification: the checks of the signature.
    ///   - refusal: returns the error of the service.
    package init(_ verification: SignatureVerification, refusal: (AuthenticationError) -> ServiceCheck.Refusal) {
        self.init(
            checks: verification.checks.map { ServiceCheck($0, as: refusal) },
            caller: verification.authenticated?.caller)
    }

    /// Adds a check that the service makes after those of the signature.
    /// - Parameter refusal: the error of the service; `nil` if the check passed.
    package mutating func append(_ name: String, _ refusal: ServiceCheck.Refusal?) {
        checks.append(ServiceCheck(name: name, refusal: refusal))
    }

    /// Whether every check passed.
    package var isPassed: Bool { checks.allSatisfy { $0.refusal == nil } }
}
