import WireFormats

/// Parses AWS's policy grammar.
struct PolicyParser {
    let kind: PolicyDocument.Kind
    var dialect = PolicyDialect.aws

    struct Document {
        var version: PolicyDocument.Version
        var id: String?
        var statements: [Statement]
    }

    func document(_ json: JSONValue) throws(PolicySyntaxError) -> Document {
        guard let members = json.objectValue?.members else {
            throw PolicySyntaxError(kind == .trust ? PolicySyntaxError.invalidJSON : PolicySyntaxError.syntax, "Expected a JSON object.")
        }
        var version = PolicyDocument.Version.y2008
        var id: String?
        var source: JSONValue?
        for (name, value) in members {
            switch name {
            case "Version":
                guard let known = value.stringValue.flatMap(PolicyDocument.Version.init(aws:)) else {
                    throw PolicySyntaxError(
                        kind == .identity ? PolicySyntaxError.syntax : "The policy must contain a valid version string", at: name,
                        "The versions are 2008-10-17 and 2012-10-17.")
                }
                version = known
            case "Id":
                guard let text = value.stringValue else {
                    throw PolicySyntaxError(PolicySyntaxError.syntax, at: name, "The Id must be a string.")
                }
                id = text
            case "Statement": source = value
            default: throw unknownElement(name, at: "")
            }
        }
        guard let source else { throw missing("Statement", at: "") }
        let elements = source.arrayValue ?? [source]
        guard !elements.isEmpty else {
            throw PolicySyntaxError(
                kind == .identity ? PolicySyntaxError.syntax : "Could not parse the policy: Statement is empty!", at: "Statement",
                "A policy must have at least one statement.")
        }
        var statements: [Statement] = []
        var sids: Set<String> = []
        var faults = PolicyFaults(kind)
        for (index, element) in elements.enumerated() {
            let place = source.arrayValue == nil ? "Statement" : "Statement[\(index)]"
            let parser = StatementParser(kind: kind, dialect: dialect, version: version, place: place)
            let statement = faults.collect { () throws(PolicySyntaxError) in try parser.statement(element) }
            if let sid = element.objectValue?["Sid"]?.stringValue, !sid.isEmpty, !sids.insert(sid).inserted {
                faults.note(
                    PolicySyntaxError(
                        kind == .trust
                            ? "The Statement Ids in the policy are not unique" : "Statement IDs (SID) in a single policy must be unique.",
                        at: "\(place).Sid", stage: .identifiers))
            }
            if let statement { statements.append(statement) }
        }
        try faults.check()
        return Document(version: version, id: id, statements: statements)
    }

    func unknownElement(_ name: String, at place: String) -> PolicySyntaxError {
        PolicySyntaxError(
            kind == .resource ? "Unknown field \(name)" : PolicySyntaxError.syntax, at: place, "Unknown element \(name).")
    }

    func missing(_ name: String, at place: String) -> PolicySyntaxError {
        if kind == .identity { return PolicySyntaxError(PolicySyntaxError.syntax, at: place, "\(name) is missing.") }
        return PolicySyntaxError("Missing required field \(name)", at: place)
    }

    static let unqualifiedVendor = "Resource vendor must be fully qualified and cannot contain regexes."

    static func invalidPrincipal(_ type: String, _ text: String) -> String { "Invalid principal in policy: \"\(type)\":\"\(text)\"" }
}
