import WireFormats

/// Parses the values of one condition key for its operator.
struct ConditionParser {
    /// Whether the policy belongs to an IAM user, group or role. There IAM accepts some meaningless elements (observed of AWS).
    let isOfIAM: Bool
    /// Whether a condition may have no value, as in trust policies.
    var takesEmptyLists = false
    let version: PolicyDocument.Version
    let place: String

    func condition(_ name: String, _ condition: ConditionOperator, _ key: String, _ value: JSONValue) throws(PolicySyntaxError) -> Condition
    {
        // No request has a key without a prefix.
        guard isOfIAM || Condition.isKey(key) else {
            throw PolicySyntaxError("Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.", at: place)
        }
        let texts = try texts(value)
        return Condition(
            operatorName: name, key: key, lookupKey: ConditionKeys.folded(key), condition: condition,
            test: try test(condition.family, texts), wanted: texts)
    }

    /// Returns the values, one or a list, as texts. They may be written as strings, numbers or Booleans.
    private func texts(_ value: JSONValue) throws(PolicySyntaxError) -> [String] {
        let values = value.arrayValue ?? [value]
        var texts: [String] = []
        for value in values {
            switch value {
            case .string(let text): texts.append(text)
            case .integer, .number, .bool: texts.append(value.serialized())
            case .null, .array, .object:
                throw PolicySyntaxError(PolicySyntaxError.syntax, at: place, "Expected strings, numbers or Booleans.")
            }
        }
        guard !texts.isEmpty || isOfIAM || takesEmptyLists else {
            throw PolicySyntaxError(PolicySyntaxError.syntax, at: place, "The list of values is empty.")
        }
        return texts
    }

    private func test(_ family: ConditionOperator.Family, _ texts: [String]) throws(PolicySyntaxError) -> ConditionTest {
        switch family {
        case .exactText: .exactText(try patterns(texts, .variables))
        case .foldedText: .foldedText(try patterns(texts, .variables))
        case .textPattern: .textPattern(try patterns(texts, [.variables, .wildcards]))
        case .numeric(let comparison): .numeric(try literals(texts, "a number", Literal.number), comparison)
        case .date(let comparison): .date(try literals(texts, "an ISO 8601 date or seconds since 1970", Literal.date), comparison)
        case .bool: .bool(try literals(texts, "true or false", Literal.bool))
        case .null: .null(try literals(texts, "true or false", Literal.bool))
        case .binary: .binary(try literals(texts, "base 64") { [UInt8](base64: $0) })
        case .address: .address(try literals(texts, "an IP address or CIDR range", AddressRange.init))
        case .arn: .arn(try arns(texts))
        }
    }

    private func patterns(_ texts: [String], _ syntax: Pattern.Syntax) throws(PolicySyntaxError) -> [Pattern] {
        var patterns: [Pattern] = []
        for text in texts {
            do {
                patterns.append(try Pattern(text, syntax: version == .y2012 ? syntax : syntax.subtracting(.variables)))
            } catch {
                throw PolicySyntaxError(PolicySyntaxError.syntax, at: place, "This is not a policy variable: \(error.text)")
            }
        }
        return patterns
    }

    private func arns(_ texts: [String]) throws(PolicySyntaxError) -> [ARNPattern] {
        var arns: [ARNPattern] = []
        for pattern in try patterns(texts, [.variables, .wildcards]) {
            guard let arn = ARNPattern(pattern) else {
                throw PolicySyntaxError(
                    PolicySyntaxError.legacyParsing, at: place, "\"\(pattern.source)\" does not have the six fields of an ARN.")
            }
            arns.append(arn)
        }
        return arns
    }

    private func literals<Value>(_ texts: [String], _ expected: String, _ read: (String) -> Value?) throws(PolicySyntaxError) -> [Value] {
        var values: [Value] = []
        for text in texts {
            guard let value = read(text) else {
                throw PolicySyntaxError(PolicySyntaxError.legacyParsing, at: place, "\"\(text)\" is not \(expected).")
            }
            values.append(value)
        }
        return values
    }
}
