import WireFormats

/// Parses one statement.
struct StatementParser {
    let kind: PolicyDocument.Kind
    let dialect: PolicyDialect
    let version: PolicyDocument.Version
    let place: String

    private var policy: PolicyParser { PolicyParser(kind: kind, dialect: dialect) }

    private func fault(
        _ message: String, _ element: String, _ detail: String = "", stage: PolicySyntaxError.Stage? = nil
    ) -> PolicySyntaxError {
        PolicySyntaxError(message, at: "\(place).\(element)", detail, stage: stage)
    }

    func statement(_ json: JSONValue) throws(PolicySyntaxError) -> Statement {
        guard let elements = json.objectValue else {
            throw PolicySyntaxError(PolicySyntaxError.syntax, at: place, "A statement must be an object.")
        }
        for name in elements.names where !Self.elementNames.contains(name) { throw policy.unknownElement(name, at: place) }
        var faults = PolicyFaults(kind)
        let sid = faults.collect { () throws(PolicySyntaxError) in try self.sid(elements["Sid"]) }
        let effect = faults.collect { () throws(PolicySyntaxError) in try self.effect(elements["Effect"]) }
        let principals = faults.collect { () throws(PolicySyntaxError) in try self.principals(elements) }
        let actions = faults.collect { () throws(PolicySyntaxError) in try self.actions(elements) }
        let resources = faults.collect { () throws(PolicySyntaxError) in try self.resources(elements) }
        let conditions = faults.collect { () throws(PolicySyntaxError) in try self.conditions(elements["Condition"]) }
        try faults.check()
        guard let sid, let effect, let principals, let actions, let resources, let conditions else {
            throw PolicySyntaxError(PolicySyntaxError.syntax, at: place)
        }
        return Statement(
            sid: sid, effect: effect, principals: principals, actions: actions, resources: resources, conditions: conditions)
    }

    static let elementNames: Set<String> = [
        "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition",
    ]

    private func sid(_ value: JSONValue?) throws(PolicySyntaxError) -> String? {
        guard let value else { return nil }
        guard let sid = value.stringValue else { throw fault(PolicySyntaxError.syntax, "Sid", "A Sid must be a string.") }
        let isAlphanumeric = sid.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }
        guard isAlphanumeric || kind == .resource else {
            throw fault(
                "Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*", "Sid",
                stage: .identifiers)
        }
        return sid
    }

    private func effect(_ value: JSONValue?) throws(PolicySyntaxError) -> Statement.Effect {
        guard let value else { throw policy.missing("Effect", at: place) }
        guard let effect = value.stringValue.flatMap(Statement.Effect.init(rawValue:)) else {
            let isOfOtherCase = kind == .identity && ["allow", "deny"].contains(value.stringValue?.lowercased())
            let message =
                kind == .resource
                ? "Invalid effect: \(value.stringValue ?? value.serialized())"
                : isOfOtherCase ? PolicySyntaxError.legacyParsing : PolicySyntaxError.syntax
            throw fault(message, "Effect", "It is Allow or Deny.")
        }
        return effect
    }

    /// Returns the element that the statement has of two that exclude each other, as a list of texts.
    private func either(_ positive: String, _ negative: String, in elements: JSONObject) throws(PolicySyntaxError)
        -> (name: String, isPositive: Bool, texts: [String])?
    {
        let isPositive: Bool
        switch (elements[positive], elements[negative]) {
        case (nil, nil): return nil
        case (_?, _?): throw fault(PolicySyntaxError.syntax, negative, "A statement has \(positive) or \(negative), not both.")
        case (_?, nil): isPositive = true
        case (nil, _?): isPositive = false
        }
        let name = isPositive ? positive : negative
        return (name, isPositive, try texts(elements[name], name))
    }

    /// Returns a string or a list of strings.
    private func texts(_ value: JSONValue?, _ element: String) throws(PolicySyntaxError) -> [String] {
        switch value {
        case .string(let text)?: return [text]
        case .array(let values)?:
            let texts = values.compactMap(\.stringValue)
            guard texts.count == values.count else { break }
            return texts
        default: break
        }
        throw fault(PolicySyntaxError.syntax, element, "Expected a string or a list of strings.")
    }

    private func pattern(_ text: String, _ syntax: Pattern.Syntax, _ element: String) throws(PolicySyntaxError) -> Pattern {
        let syntax = version == .y2012 ? syntax : syntax.subtracting(.variables)
        do {
            return try Pattern(text, syntax: syntax)
        } catch {
            throw fault(PolicySyntaxError.syntax, element, "This is not a policy variable: \(error.text)")
        }
    }

    private func actions(_ elements: JSONObject) throws(PolicySyntaxError) -> Statement.Coverage {
        guard let (name, isPositive, texts) = try either("Action", "NotAction", in: elements), !texts.isEmpty else {
            throw kind == .identity
                ? fault("Policy statement must contain actions.", "Action", stage: .missingActions) : policy.missing("Action", at: place)
        }
        var patterns: [Pattern] = []
        for text in texts {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count > 1 || text == "*" else {
                // (versity/versitygw#650 on S3.)
                throw fault(
                    kind == .resource
                        ? "Policy has invalid action"
                        : "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.", name,
                    "\"\(text)\" has no prefix.", stage: .actions)
            }
            guard parts.count <= 2 else {
                throw fault("Actions/Condition can contain only one colon.", name, "\"\(text)\" has more than one.", stage: .actions)
            }
            let isVendor = parts[0].utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-.".utf8.contains($0)
            }
            guard parts[0] == "*" || isVendor && !parts[0].isEmpty else {
                throw fault("Vendor \(parts[0]) is not valid", name, stage: .actions)
            }
            guard kind != .trust || ExactText.equalIgnoringCase(String(parts[0]), "sts") else {
                throw fault("AssumeRole policy may only specify STS AssumeRole actions.", name, "\"\(text)\" is not one of them.")
            }
            patterns.append(try pattern(text, [.wildcards, .foldsCase], name))
        }
        return isPositive ? .only(patterns) : .allBut(patterns)
    }

    private func resources(_ elements: JSONObject) throws(PolicySyntaxError) -> Statement.Coverage? {
        let found = try either("Resource", "NotResource", in: elements)
        if kind == .trust {
            guard let found else { return nil }
            throw fault(
                found.isPositive ? "Has prohibited field Resource" : "AssumeRole policy must not contain resources.", found.name,
                "A trust policy must not name resources.")
        }
        guard let (name, isPositive, texts) = found, !texts.isEmpty else {
            throw kind == .identity
                ? fault("Policy statement must contain resources.", "Resource", stage: .missingResources)
                : policy.missing("Resource", at: place)
        }
        var patterns: [Pattern] = []
        var faults = PolicyFaults(kind)
        for text in texts {
            if let message = resourceFault(text) {
                faults.note(fault(kind == .resource ? "Policy has invalid resource" : message, name, "\"\(text)\"", stage: .resources))
                continue
            }
            let pattern = try pattern(text, [.wildcards, .variables], name)
            if pattern.hasVariables, !pattern.variablesFollowFifthColon, dialect != .awsManaged || !text.namesPrincipalAccount {
                faults.note(
                    fault(
                        kind == .resource ? "Policy has invalid resource" : "Resource \(text) must be in ARN format or \"*\".", name,
                        "Variables are allowed only after the fifth colon.", stage: .resources))
            }
            patterns.append(pattern)
        }
        try faults.check()
        return isPositive ? .only(patterns) : .allBut(patterns)
    }

    /// Returns AWS's message for a resource that is neither `*` nor an ARN; nil for a valid one.
    private func resourceFault(_ text: String) -> String? {
        if text == "*" { return nil }
        let fields = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count > 1 else { return "Resource \(text) must be in ARN format or \"*\"." }
        guard Self.partitions.contains(fields[1]) else {
            let rest = (2..<6).map { $0 < fields.count ? String(fields[$0]) : "*" }.joined(separator: ":")
            return "Partition \"\(fields[1])\" is not valid for resource \"arn:\(fields[1]):\(rest)\"."
        }
        guard fields[0] == "arn" else { return "Resource \(text) must be in ARN format or \"*\"." }
        guard fields.count > 2 else { return PolicyParser.unqualifiedVendor }
        guard !fields[2].isEmpty else { return PolicySyntaxError.legacyParsing }
        // With fewer fields, the text can be an ARN only if a wildcard replaces the rest. IAM accepts three fields nevertheless (observed
        // of
        // AWS); such a resource matches nothing.
        guard fields.count == 6 else {
            return text.hasSuffix("*") || fields.count == 3 && kind == .identity ? nil : PolicySyntaxError.legacyParsing
        }
        switch fields[2] {
        case "iam":
            guard ["", "*"].contains(fields[3]) else { return "IAM resource \(text) cannot contain region information." }
            // A wildcard in the type is refused, as in `*/cdk-*`; whether a variable may stand there is not known.
            // AWS's own policies have `role-template/`, which the error message does not list.
            let isPath = ["*", "root"].contains(fields[5]) || ["$", "role-template/"].contains { fields[5].hasPrefix($0) }
            guard isPath || Self.pathsOfIAM.contains(where: { fields[5].hasPrefix($0) }) else {
                return "IAM resource path must either be \"*\", root, or start with \(Self.pathsOfIAM.joined(separator: ", "))."
            }
        case "s3":
            let isRegional = Self.regionalInS3.contains { fields[5].hasPrefix($0) }
            guard ["", "*"].contains(fields[3]) || isRegional else {
                return "Resource \(text) can not contain region information."
            }
        default: break
        }
        return nil
    }

    /// The prefixes of IAM resources, in the order of the error message. (Reports of 2026-05-04 and 2026-08-15 have `root` in the message,
    /// and refuse `account-alias/*` and a wildcard as the type; earlier ones have the message without it.)
    private static let pathsOfIAM = [
        "user/", "federated-user/", "role/", "group/", "instance-profile/", "mfa/", "server-certificate/", "policy/", "sms-mfa/",
        "saml-provider/", "oidc-provider/", "report/", "access-report/",
    ]

    /// The S3 resources that belong to a region. (Service Authorization Reference, "Amazon S3", resource types.)
    private static let regionalInS3 = ["accesspoint/", "job/", "storage-lens/", "storage-lens-group/", "access-grants/"]

    private static let partitions: Set<Substring> = ["aws", "aws-cn", "aws-us-gov", "*"]

    private func principals(_ elements: JSONObject) throws(PolicySyntaxError) -> PrincipalClause {
        let named = elements["Principal"]
        let excepted = elements["NotPrincipal"]
        if kind == .identity {
            if dialect == .ceph { return .absent }
            guard named == nil, excepted == nil else {
                throw fault(
                    "Policy document should not specify a principal.", named == nil ? "NotPrincipal" : "Principal", stage: .principals)
            }
            return .absent
        }
        if kind == .trust, excepted != nil {
            throw fault(
                elements["Effect"] == "Deny"
                    ? "AssumeRole policy must not contain NotPrincipal field." : "Allow with NotPrincipal is not allowed.", "NotPrincipal")
        }
        switch (named, excepted) {
        case (nil, nil): throw policy.missing("Principal", at: place)
        case (_?, _?): throw fault(PolicySyntaxError.syntax, "NotPrincipal", "A statement has Principal or NotPrincipal, not both.")
        case (let value?, nil): return .named(try principals(value, "Principal"))
        case (nil, let value?): return .allBut(try principals(value, "NotPrincipal"))
        }
    }

    private func principals(_ value: JSONValue, _ element: String) throws(PolicySyntaxError) -> [PrincipalElement] {
        if let text = value.stringValue {
            guard kind != .trust else {
                throw fault(
                    text == "*"
                        ? "AssumeRolepolicy contained an invalid principal: \"STAR\":\"*\"." : "Principal must be a JSON object.", element)
            }
            guard text == "*" else {
                throw kind == .resource
                    ? fault("Invalid principal in policy", element, "\"\(text)\"")
                    : fault("Invalid principal in policy: \"\(text)\"", element)
            }
            return [.everyone]
        }
        if kind == .trust, value.objectValue?.isEmpty == true {
            throw fault("Missing required field Principal cannot be empty!", element)
        }
        guard let types = value.objectValue, !types.isEmpty else {
            throw fault(kind == .resource ? "Invalid policy syntax." : PolicySyntaxError.syntax, element, "Expected \"*\" or an object.")
        }
        var principals: [PrincipalElement] = []
        for (type, value) in types.members {
            let texts = try texts(value, "\(element).\(type)")
            guard !texts.isEmpty else { throw fault("Invalid principal in policy", "\(element).\(type)", "The list is empty.") }
            for text in texts {
                let principal: PrincipalElement?
                switch type {
                case "AWS": principal = PrincipalElement(aws: text, dialect)
                case "Federated": principal = PrincipalElement(federated: text, dialect)
                case "Service":
                    let isName = Self.domainsOfServices.contains { text.hasSuffix($0) } && !text.utf8.contains { "*?:/ ".utf8.contains($0) }
                    principal = text == "*" ? .everyService : isName ? .service(text) : nil
                case "CanonicalUser": principal = text.isEmpty || text.utf8.contains(UInt8(ascii: "*")) ? nil : .canonicalUser(text)
                default: throw fault("Invalid principal in policy", "\(element).\(type)", "Unknown type of principal \(type).")
                }
                guard let principal else {
                    // From public records of the real service.
                    if kind == .trust, type == "Federated", !text.hasPrefix("arn:"), !text.contains(".") {
                        throw fault("Federated principals must be valid domain names or SAML metadata ARNs", "\(element).\(type)")
                    }
                    // S3 names the principal in an element of its own. (aws/aws-sdk-net#1317, versity/versitygw#649)
                    if kind == .resource {
                        throw fault("Invalid principal in policy", "\(element).\(type)", "\"\(type)\" : \"\(text)\"")
                    }
                    // IAM writes the type in uppercase.
                    let type = kind == .trust ? type.uppercased() : type
                    throw fault(PolicyParser.invalidPrincipal(type, text), "\(element).\(type)")
                }
                principals.append(principal)
            }
        }
        return principals
    }

    /// The domains of service principals.
    private static let domainsOfServices = [".amazonaws.com", ".amazonaws.com.cn", ".amazon.com", ".aws.internal", ".aws.com"]

    private func conditions(_ value: JSONValue?) throws(PolicySyntaxError) -> [Condition] {
        guard let value else { return [] }
        guard let operators = value.objectValue else { throw fault(PolicySyntaxError.syntax, "Condition", "Expected an object.") }
        var conditions: [Condition] = []
        var faults = PolicyFaults(kind)
        for (name, value) in operators.members {
            // IAM ignores an operator without keys, whatever its name (observed of AWS).
            if kind == .identity, value.objectValue?.isEmpty == true { continue }
            guard let condition = ConditionOperator(name) else {
                throw fault(
                    kind == .identity ? PolicySyntaxError.syntax : "Invalid Condition type : \(name)", "Condition.\(name)",
                    "Unknown operator.")
            }
            guard let keys = value.objectValue, !keys.isEmpty else {
                throw fault(PolicySyntaxError.syntax, "Condition.\(name)", "Expected an object of condition keys.")
            }
            for (key, value) in keys.members {
                let parser = ConditionParser(
                    isOfIAM: kind == .identity, takesEmptyLists: kind == .trust, version: version,
                    place: "\(place).Condition.\(name).\(key)")
                let parsed = faults.collect { () throws(PolicySyntaxError) in try parser.condition(name, condition, key, value) }
                if let parsed { conditions.append(parsed) }
            }
        }
        try faults.check()
        return conditions
    }
}

extension String {
    /// Whether the account of an ARN is `${aws:PrincipalAccount}`.
    fileprivate var namesPrincipalAccount: Bool {
        // The variable itself contains a colon.
        split(separator: ":", maxSplits: 6, omittingEmptySubsequences: false).dropFirst(4).prefix(2) == ["${aws", "PrincipalAccount}"]
    }
}
