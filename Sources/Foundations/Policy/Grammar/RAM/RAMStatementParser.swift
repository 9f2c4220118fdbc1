import WireFormats

/// Parses one statement of a policy of Alibaba Cloud.
struct RAMStatementParser {
    let kind: PolicyDocument.Kind
    let place: String

    private static let elementNames: Set<String> = [
        "Effect", "Principal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    ]

    private func fault(_ element: String, _ detail: String) -> PolicySyntaxError {
        RAMPolicyParser.fault("\(place).\(element)", detail)
    }

    func statement(_ json: JSONValue) throws(PolicySyntaxError) -> Statement {
        guard let elements = json.objectValue else { throw RAMPolicyParser.fault(place, "A statement must be an object.") }
        for name in elements.names where !Self.elementNames.contains(name) { throw fault(name, "Unknown element \(name).") }
        guard let effect = elements["Effect"]?.stringValue.flatMap(Statement.Effect.init(rawValue:)) else {
            throw fault("Effect", "It is Allow or Deny.")
        }
        return Statement(
            sid: nil, effect: effect, principals: try principals(elements["Principal"]), actions: try actions(elements),
            resources: try resources(elements), conditions: try conditions(elements["Condition"]))
    }

    /// Returns the element that the statement has of two that exclude each other, as a list of texts; nil if it has neither.
    private func either(_ positive: String, _ negative: String, in elements: JSONObject) throws(PolicySyntaxError)
        -> (name: String, isPositive: Bool, texts: [String])?
    {
        let name = elements[positive] == nil ? negative : positive
        guard let value = elements[name] else { return nil }
        guard name == negative || elements[negative] == nil else {
            throw fault(negative, "A statement has \(positive) or \(negative), not both.")
        }
        return (name, name == positive, try texts(value, name))
    }

    /// Returns a string or a list of strings, which must not be empty.
    private func texts(_ value: JSONValue, _ element: String) throws(PolicySyntaxError) -> [String] {
        let values = value.arrayValue ?? [value]
        let texts = values.compactMap(\.stringValue)
        guard !texts.isEmpty, texts.count == values.count else { throw fault(element, "Expected a string or a list of strings.") }
        return texts
    }

    private func actions(_ elements: JSONObject) throws(PolicySyntaxError) -> Statement.Coverage {
        guard let (name, isPositive, texts) = try either("Action", "NotAction", in: elements) else {
            throw fault("Action", "Action is missing.")
        }
        var patterns: [Pattern] = []
        for text in texts {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            let isName = parts.count == 2 && isServiceCode(parts[0]) && !parts[1].isEmpty
            guard isName || text == "*" && kind != .trust else { throw fault(name, "\"\(text)\" is not <service>:<action>.") }
            if kind == .trust, !ExactText.equalIgnoringCase(String(parts[0]), "sts") {
                throw fault(name, "A trust policy may contain only actions of sts, not \"\(text)\".")
            }
            patterns.append(try pattern(text, [.wildcards, .foldsCase], name))
        }
        return isPositive ? .only(patterns) : .allBut(patterns)
    }

    /// Returns whether a text is the code of a service, such as `oss`, or `*` for all.
    private func isServiceCode(_ code: Substring) -> Bool {
        code == "*"
            || !code.isEmpty
                && code.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-.".utf8.contains($0) }
    }

    private func resources(_ elements: JSONObject) throws(PolicySyntaxError) -> Statement.Coverage? {
        let found = try either("Resource", "NotResource", in: elements)
        if kind == .trust {
            guard let found else { return nil }
            throw fault(found.name, "A trust policy must not name resources.")
        }
        guard let (name, isPositive, texts) = found else { throw fault("Resource", "Resource is missing.") }
        var patterns: [Pattern] = []
        for text in texts { patterns.append(try resource(text, name)) }
        return isPositive ? .only(patterns) : .allBut(patterns)
    }

    /// Parses `*` or `acs:<service>:<region>:<account>:<relative id>`. OSS's regions may be written with or without `oss-`.
    private func resource(_ text: String, _ name: String) throws(PolicySyntaxError) -> Pattern {
        if text == "*" { return try pattern(text, .wildcards, name) }
        var fields = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        // With fewer fields, the text can be a valid name only if a wildcard replaces the rest.
        guard fields[0] == "acs", fields.count == 5 || fields.count > 1 && text.hasSuffix("*"), !fields[1].isEmpty else {
            throw fault(name, "\"\(text)\" is not acs:<service>:<region>:<account>:<relative id>.")
        }
        guard fields.count == 5 else { return try pattern(text, .wildcards, name) }
        guard !fields[4].isEmpty else { throw fault(name, "\"\(text)\" has an empty relative id.") }
        if fields[1] == "oss", let first = fields[2].first, !"*?".contains(first), !fields[2].hasPrefix("oss-") {
            fields[2] = "oss-" + fields[2]
        }
        var pattern = try pattern(fields.joined(separator: ":"), [.wildcards, .acsFields], name)
        pattern.source = text
        return pattern
    }

    private func pattern(_ text: String, _ syntax: Pattern.Syntax, _ element: String) throws(PolicySyntaxError) -> Pattern {
        do {
            return try Pattern(text, syntax: syntax)
        } catch {
            throw fault(element, "\"\(text)\" cannot be read.")
        }
    }

    private func principals(_ value: JSONValue?) throws(PolicySyntaxError) -> PrincipalClause {
        switch kind {
        case .identity:
            guard value == nil else { throw fault("Principal", "The policy of a user, group or role must not have a Principal.") }
            return .absent
        case .resource:
            // A statement without Principal applies to everyone. OSS accepts such a policy and calls it public (observed of OSS).
            guard let value else { return .named([.everyone]) }
            var principals: [PrincipalElement] = []
            for text in try texts(value, "Principal") {
                guard let principal = PrincipalElement(oss: text) else { throw fault("Principal", "\"\(text)\" is not a principal.") }
                principals.append(principal)
            }
            return .named(principals)
        case .trust:
            guard let types = value?.objectValue, !types.isEmpty else {
                throw fault("Principal", "Expected an object of RAM, Service or Federated.")
            }
            var principals: [PrincipalElement] = []
            for (type, value) in types.members {
                for text in try texts(value, "Principal.\(type)") {
                    let principal: PrincipalElement? =
                        switch type {
                        case "RAM": PrincipalElement(ram: text)
                        case "Service": PrincipalElement(ramService: text)
                        case "Federated": PrincipalElement(ramFederated: text)
                        default: nil
                        }
                    guard let principal else { throw fault("Principal.\(type)", "\"\(text)\" is not a principal.") }
                    principals.append(principal)
                }
            }
            return .named(principals)
        }
    }

    private func conditions(_ value: JSONValue?) throws(PolicySyntaxError) -> [Condition] {
        guard let value else { return [] }
        guard let operators = value.objectValue else { throw fault("Condition", "Expected an object.") }
        var conditions: [Condition] = []
        for (name, value) in operators.members {
            guard let condition = ConditionOperator(ram: name) else { throw fault("Condition.\(name)", "Unknown operator.") }
            guard let keys = value.objectValue, !keys.isEmpty else {
                throw fault("Condition.\(name)", "Expected an object of condition keys.")
            }
            for (key, value) in keys.members {
                let place = "\(place).Condition.\(name).\(key)"
                do {
                    conditions.append(
                        try ConditionParser(isOfIAM: false, version: .ram, place: place).condition(
                            name, condition, key, condition.family == .address ? Self.spelledOut(value) : value))
                } catch {
                    throw RAMPolicyParser.fault(place, error.detail.isEmpty ? error.message : error.detail)
                }
            }
        }
        return conditions
    }

    /// Returns addresses that end in `*` as CIDR ranges. (OSS User Guide, "RAM policy", `acs:SourceIp`.)
    private static func spelledOut(_ value: JSONValue) -> JSONValue {
        let ranges = (value.arrayValue ?? [value]).flatMap { value -> [JSONValue] in
            guard let text = value.stringValue, text.hasSuffix("*") else { return [value] }
            if text == "*" { return ["0.0.0.0/0", "::/0"] }
            let numbers = text.split(separator: ".", omittingEmptySubsequences: false).prefix { $0 != "*" }
            guard text.hasSuffix(".*"), (1...3).contains(numbers.count),
                text.dropFirst(numbers.joined(separator: ".").count).allSatisfy({ ".*".contains($0) })
            else { return [value] }
            let zeros = repeatElement("0", count: 4 - numbers.count)
            return [.string((numbers.map(String.init) + zeros).joined(separator: ".") + "/\(8 * numbers.count)")]
        }
        return .array(ranges)
    }
}

extension ConditionOperator {
    /// Parses an operator of Alibaba Cloud: AWS's operators for texts, numbers, dates, Booleans and addresses, without
    /// prefixes and suffixes. (RAM User Guide, "Conditional operators".)
    init?(ram name: String) {
        self.init(name)
        guard quantifier == nil, !ifExists else { return nil }
        switch family {
        case .binary, .arn, .null: return nil
        case .exactText, .foldedText, .textPattern, .numeric, .date, .bool, .address: break
        }
    }
}
