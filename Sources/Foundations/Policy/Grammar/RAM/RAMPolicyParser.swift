import WireFormats

/// Parses Alibaba Cloud's policy grammar (RAM User Guide, "Policy structure and syntax"; OSS User Guide, "Bucket policy"). It has fewer
/// elements than AWS's: no Id, no Sid, no NotPrincipal.
struct RAMPolicyParser {
    let kind: PolicyDocument.Kind

    func document(_ json: JSONValue) throws(PolicySyntaxError) -> PolicyParser.Document {
        guard let members = json.objectValue else { throw Self.fault("", "A policy must be a JSON object.") }
        for name in members.names where !["Version", "Statement"].contains(name) {
            throw Self.fault(name, "Unknown element \(name).")
        }
        guard members["Version"]?.stringValue == PolicyDocument.Version.ram.rawValue else {
            throw Self.fault("Version", "The version must be \"1\".")
        }
        guard let source = members["Statement"] else { throw Self.fault("Statement", "Statement is missing.") }
        let elements = source.arrayValue ?? [source]
        guard !elements.isEmpty else { throw Self.fault("Statement", "A policy must have at least one statement.") }
        var statements: [Statement] = []
        for (index, element) in elements.enumerated() {
            let place = source.arrayValue == nil ? "Statement" : "Statement[\(index)]"
            statements.append(try RAMStatementParser(kind: kind, place: place).statement(element))
        }
        return PolicyParser.Document(version: .ram, id: nil, statements: statements)
    }

    static func fault(_ place: String, _ detail: String) -> PolicySyntaxError {
        PolicySyntaxError(PolicySyntaxError.malformed, at: place, detail)
    }
}
