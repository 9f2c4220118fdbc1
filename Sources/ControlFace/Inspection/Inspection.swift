import WireFormats

/// The result of `POST /_virga/inspect`.
struct Inspection {
    /// One check. `nil` means that it could not be made.
    struct Check {
        var name: String
        var passed: Bool?
        var detail: String
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
    var roles: [JSONValue] = []

    init(_ kind: String) { self.kind = kind }

    /// Whether every check passed; `nil` if no check was made.
    var isValid: Bool? {
        let made = checks.compactMap(\.passed)
        return made.isEmpty ? nil : made.allSatisfy(\.self)
    }

    /// Adds a check.
    mutating func check(_ name: String, _ passed: Bool?, _ detail: String) {
        checks.append(Check(name: name, passed: passed, detail: detail))
    }

    /// Sets the verdict: a sentence for a valid text, or the first failed check.
    /// - Parameter valid: what the text is if it is valid.
    mutating func conclude(_ valid: String) {
        if let failed = checks.first(where: { $0.passed == false }) {
            verdict = "Not valid: \(failed.detail)"
        } else {
            verdict = valid
        }
    }

    var json: JSONValue {
        [
            "kind": .string(kind), "verdict": .string(verdict), "valid": isValid.map(JSONValue.bool) ?? .null,
            "checks": .array(
                checks.map { check in
                    ["name": .string(check.name), "passed": check.passed.map(JSONValue.bool) ?? .null, "detail": .string(check.detail)]
                }),
            "decoded": .object(decoded), "subject": subject.map(JSONValue.object) ?? .null, "roles": .array(roles),
        ]
    }
}
