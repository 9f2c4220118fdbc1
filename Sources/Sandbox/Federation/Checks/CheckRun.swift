/// How a verifier runs its checks. The verifier is written once, and the run decides whether it stops at the first failed check
/// (``DecidingRun``) or continues and records every check (``RecordingRun``).
package protocol CheckRun<Failure> {
    associatedtype Failure: Error

    /// Whether a valid request takes effect, such as the recorded use of its key.
    static var takesEffect: Bool { get }

    /// Runs a check.
    mutating func check(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure)

    /// Runs a check whose result later checks need. If it fails, the run ends.
    mutating func find<Value>(_ name: String, _ body: () throws(Failure) -> Value) throws(Failure) -> Value
}

/// Stops at the first failed check, and records nothing.
package struct DecidingRun<Failure: Error>: CheckRun {
    package static var takesEffect: Bool { true }

    package init() {}

    @inline(__always)
    package mutating func check(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) { try body() }

    @inline(__always)
    package mutating func find<Value>(_ name: String, _ body: () throws(Failure) -> Value) throws(Failure) -> Value { try body() }
}

/// Records every check.
package struct RecordingRun<Failure: Error>: CheckRun {
    package static var takesEffect: Bool { false }

    /// The checks, in the order in which they were made.
    package private(set) var checks: [VerificationCheck<Failure>] = []

    package init() {}

    package mutating func check(_ name: String, _ body: () throws(Failure) -> Void) throws(Failure) {
        do throws(Failure) {
            try body()
            checks.append(VerificationCheck(name: name, error: nil))
        } catch { checks.append(VerificationCheck(name: name, error: error)) }
    }

    package mutating func find<Value>(_ name: String, _ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) {
            let value = try body()
            checks.append(VerificationCheck(name: name, error: nil))
            return value
        } catch {
            checks.append(VerificationCheck(name: name, error: error))
            throw error
        }
    }
}
