import WireFormats

/// Collects the errors of a policy, of which the service reports only one.
///
/// IAM checks a whole policy for one kind of error after the other. Which error it reports does not depend on their positions
/// (observed of AWS). For other kinds of policies the first error is reported.
struct PolicyFaults {
    let kind: PolicyDocument.Kind
    private var reported: PolicySyntaxError?

    init(_ kind: PolicyDocument.Kind) { self.kind = kind }

    /// Returns the result of `read`, or `nil` if it throws an error, which is recorded.
    mutating func collect<Value>(_ read: () throws(PolicySyntaxError) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            note(error)
            return nil
        }
    }

    mutating func note(_ fault: PolicySyntaxError) {
        if let reported, kind != .identity || reported.stage <= fault.stage { return }
        reported = fault
    }

    /// - Throws: the error to report, if there is one.
    func check() throws(PolicySyntaxError) {
        if let reported { throw reported }
    }
}
