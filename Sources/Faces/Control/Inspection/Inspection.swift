import ControlDocuments
import Federation
import WireFormats

/// The result of `POST /_virga/inspect`.
struct Inspection {
    /// One check. `nil` means that it could not be made.
    struct Check {
        var name: String
        var passed: Bool?
        var detail: String
        /// The error of the service if this is its first failed check.
        var refusal: ServiceCheck.Refusal?
    }

    /// What the text is, such as `jwt`.
    var kind: String
    /// The result in one sentence.
    var verdict = ""
    /// The checks, in the order in which services make them.
    var checks: [Check] = []
    /// The decoded parts; the members depend on the kind.
    var decoded: JSONObject = [:]
    /// Who the subject is in this sandbox.
    var subject: JSONObject?
    /// The roles whose trust policies were evaluated.
    var roles: [Document<InspectedRoleMembers>] = []

    init(_ kind: String) { self.kind = kind }

    /// Whether the service's decision depends on something that the text does not contain.
    var isUndecided = false

    /// Whether every check passed; `nil` if no check was made, or none failed and one that decides could not be made.
    var isValid: Bool? {
        let made = checks.compactMap(\.passed)
        guard made.allSatisfy(\.self) else { return false }
        return made.isEmpty || isUndecided ? nil : true
    }

    /// Adds a check.
    mutating func check(_ name: String, _ passed: Bool?, _ detail: String) {
        checks.append(Check(name: name, passed: passed, detail: detail))
    }

    /// Adds a check that a service makes.
    /// - Parameter detail: what was found if the check passed.
    mutating func check(_ check: ServiceCheck, passed detail: String) {
        let text = check.refusal.map { "\(check.cause.map { "\($0) " } ?? "")The service returns \($0.code): \($0.message)" }
        checks.append(Check(name: check.name, passed: check.refusal == nil, detail: text ?? detail, refusal: check.refusal))
    }

    /// Sets the verdict: a sentence for a valid text, or the first failed check.
    /// - Parameter valid: what the text is if it is valid.
    mutating func conclude(_ valid: String) {
        if let failed = checks.first(where: { $0.passed == false }) {
            verdict = "Not valid: \(failed.detail)"
        } else if isUndecided, let open = checks.first(where: { $0.passed == nil }) {
            verdict = "Not decided: \(open.detail)"
        } else {
            verdict = valid
        }
    }

    var document: Document<InspectionMembers> {
        let checks = checks.map { check -> Document<CheckMembers> in
            let error = check.refusal.map { refusal in
                Document<CheckErrorMembers> { [$0.code(refusal.code), $0.message(refusal.message)] }
            }
            return Document { [$0.name(check.name), $0.passed(check.passed), $0.detail(check.detail), $0.error(error)] }
        }
        return Document {
            [
                $0.kind(kind), $0.verdict(verdict), $0.valid(isValid), $0.checks(checks), $0.decoded(.object(decoded)),
                $0.subject(subject.map(JSONValue.object) ?? .null), $0.roles(roles),
            ]
        }
    }
}
