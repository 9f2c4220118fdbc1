/// One check of a verifier.
package struct VerificationCheck<Failure: Error>: Sendable {
    /// What is checked, such as `times`.
    package var name: String
    /// The error that the verifier throws if this is the first failed check; `nil` if the check passed.
    package var error: Failure?
}

/// One check of a verifier, as the service that decides reports it.
package struct ServiceCheck: Sendable, Equatable {
    /// The error that the service returns if this is the first failed check.
    package struct Refusal: Sendable, Equatable {
        /// The error code.
        package var code: String
        /// The message.
        package var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    /// What is checked, such as `times`.
    package var name: String
    /// `nil` if the check passed.
    package var refusal: Refusal?
    /// The exact defect, if the message of the service does not contain it.
    package var cause: String?

    package init(name: String, refusal: Refusal? = nil, cause: String? = nil) {
        self.name = name
        self.refusal = refusal
        self.cause = cause
    }

    /// - Parameters:
    ///   - check: a check of a verifier.
    ///   - refusal: returns the error of the service.
    package init<Failure>(_ check: VerificationCheck<Failure>, as refusal: (Failure) -> Refusal) {
        self.init(name: check.name, refusal: check.error.map(refusal))
    }

    /// - Parameter refusal: returns the error of the service.
    package init(_ check: VerificationCheck<WebIdentityError>, refusal: (WebIdentityError) -> Refusal) {
        self.init(name: check.name, refusal: check.error.map(refusal), cause: check.error?.cause)
    }
}
