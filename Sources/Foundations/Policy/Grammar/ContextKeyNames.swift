package import WireFormats

/// The condition keys that a policy uses, as IAM's reports list them (IAM API Reference, "GetContextKeysForCustomPolicy").
///
/// The report accepts what no service would store: statements without Action or Resource, resource-based policies, and values that are
/// invalid for their operator. It rejects unknown elements, effects and operators (observed of AWS). So it has its own parser.
package enum ContextKeyNames {
    /// Returns the names in the spelling of the policy, each once: keys of conditions, and variables in resources and in the values of
    /// conditions, including the escapes `*`, `?` and `$`.
    package static func names(in policy: String) throws(PolicySyntaxError) -> [String] {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: policy)
        } catch {
            throw PolicySyntaxError(PolicySyntaxError.syntax, "\(error)")
        }
        return try names(in: document)
    }

    /// Returns the condition keys and policy variables that a document uses, each once.
    package static func names(in document: JSONValue) throws(PolicySyntaxError) -> [String] {
        guard let members = document.objectValue, members.names.allSatisfy(["Version", "Id", "Statement"].contains) else {
            throw PolicySyntaxError(PolicySyntaxError.syntax)
        }
        let version = members["Version"]?.stringValue
        guard members["Version"] == nil || version.flatMap(PolicyDocument.Version.init(aws:)) != nil else {
            throw PolicySyntaxError(PolicySyntaxError.syntax, at: "Version")
        }
        var report = Report(readsVariables: version == PolicyDocument.Version.y2012.rawValue)
        for statement in members["Statement"].map({ $0.arrayValue ?? [$0] }) ?? [] { try report.read(statement) }
        return report.names
    }

    /// Returns the condition keys and policy variables of a valid document, each once, with the type of the values that conditions compare:
    /// `string`, `numeric`, `date`, `bool`, `ip`, `arn` or `binary`.
    package static func types(in document: JSONValue) -> [(name: String, type: String, isMultivalued: Bool)] {
        var found: [(name: String, type: String, isMultivalued: Bool)] = []
        func add(_ name: String, _ type: String, _ isMultivalued: Bool) {
            guard !["*", "?", "$"].contains(name) else { return }
            if let index = found.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                if found[index].type == "string" { found[index].type = type }
                found[index].isMultivalued = found[index].isMultivalued || isMultivalued
            } else {
                found.append((name, type, isMultivalued))
            }
        }
        for statement in document["Statement"].map({ $0.arrayValue ?? [$0] }) ?? [] {
            for (name, keys) in statement["Condition"]?.objectValue?.members ?? [] {
                guard let condition = ConditionOperator(name) else { continue }
                for key in keys.objectValue?.names ?? [] { add(key, condition.family.typeName, condition.quantifier != nil) }
            }
        }
        for name in (try? names(in: document)) ?? [] { add(name, "string", false) }
        return found
    }

    private struct Report {
        let readsVariables: Bool
        private(set) var names: [String] = []
        private var known: Set<String> = []

        init(readsVariables: Bool) { self.readsVariables = readsVariables }

        mutating func read(_ statement: JSONValue) throws(PolicySyntaxError) {
            guard let elements = statement.objectValue, elements.names.allSatisfy(StatementParser.elementNames.contains),
                elements["Effect"]?.stringValue.flatMap(Statement.Effect.init(rawValue:)) != nil
            else { throw PolicySyntaxError(PolicySyntaxError.syntax, at: "Statement") }
            for name in ["Resource", "NotResource"] { add(variablesIn: elements[name]) }
            for (name, keys) in elements["Condition"]?.objectValue?.members ?? [] {
                guard ConditionOperator(name) != nil, let keys = keys.objectValue else {
                    throw PolicySyntaxError("Invalid Condition type : \(name)", at: "Condition.\(name)")
                }
                for (key, values) in keys.members {
                    add(key)
                    add(variablesIn: values)
                }
            }
        }

        private mutating func add(_ name: String) {
            if known.insert(name).inserted { names.append(name) }
        }

        private mutating func add(variablesIn value: JSONValue?) {
            guard readsVariables, let value else { return }
            for text in (value.arrayValue ?? [value]).compactMap(\.stringValue) {
                for piece in text.split(separator: "${", omittingEmptySubsequences: false).dropFirst() {
                    guard let end = piece.firstIndex(where: { $0 == "}" || $0 == "," }) else { continue }
                    add(String(piece[..<end]))
                }
            }
        }
    }
}

extension ConditionOperator.Family {
    /// The type of the values in a request, in one word.
    fileprivate var typeName: String {
        switch self {
        case .exactText, .foldedText, .textPattern, .null: "string"
        case .numeric: "numeric"
        case .date: "date"
        case .bool: "bool"
        case .binary: "binary"
        case .address: "ip"
        case .arn: "arn"
        }
    }
}
