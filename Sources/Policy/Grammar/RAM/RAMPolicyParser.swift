import WireFormats

/// Reads Alibaba Cloud's policy grammar (RAM User Guide, "Policy structure and syntax"; OSS User Guide, "Bucket policy"). It has fewer
/// elements than AWS's: no Id, no Sid, no NotPrincipal.
struct RAMPolicyParser {
    let kind: PolicyDocument.Kind

    func document(_ json: JSONValue) throws(PolicySyntaxError) -> PolicyParser.Document {
        guard let members = json.objectValue else { throw Self.fault("", "A policy is a JSON object.") }
        for name in members.names where !["Version", "Statement"].contains(name) {
            throw Self.fault(name, "There is no element \(name) here.")
        }
        guard members["Version"]?.stringValue == PolicyDocument.Version.ram.rawValue else {
            throw Self.fault("Version", "The version is \"1\".")
        }
        guard let source = members["Statement"] else { throw Self.fault("Statement", "Statement is missing.") }
        let elements = source.arrayValue ?? [source]
        guard !elements.isEmpty else { throw Self.fault("Statement", "A policy has at least one statement.") }
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
