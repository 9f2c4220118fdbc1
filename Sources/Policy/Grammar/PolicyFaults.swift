/// The faults of a policy, of which the service tells one.
///
/// IAM looks at a whole policy for one kind of fault after the other, so that which it tells does not depend on where they stand
/// (observed of AWS). Of other kinds of policies the first is told.
struct PolicyFaults {
    let kind: PolicyDocument.Kind
    private var told: PolicySyntaxError?

    init(_ kind: PolicyDocument.Kind) { self.kind = kind }

    /// What `read` makes, or `nil` if it finds a fault.
    mutating func collect<Value>(_ read: () throws(PolicySyntaxError) -> Value) -> Value? {
        do {
            return try read()
        } catch {
            note(error)
            return nil
        }
    }

    mutating func note(_ fault: PolicySyntaxError) {
        if let told, kind != .identity || told.stage <= fault.stage { return }
        told = fault
    }

    /// - Throws: the fault that is told, if there is one.
    func check() throws(PolicySyntaxError) {
        if let told { throw told }
    }
}
