import WireFormats

/// The unexpected error behind a refusal, for the log. Two causes are equal if they read the same.
package struct FailureCause: Equatable, Sendable {
    /// The error.
    package let error: any Error

    /// - Parameter error: the error.
    package init(_ error: any Error) { self.error = error }

    /// Compares descriptions.
    package static func == (left: FailureCause, right: FailureCause) -> Bool {
        String(reflecting: left.error) == String(reflecting: right.error)
    }
}
