import WireFormats

extension ResourceType {
    /// Returns the resource that values name. A value that is an ARN replaces the text up to its placeholder.
    /// - Parameters:
    ///   - values: the values of the placeholders, in order.
    ///   - scope: where the call is made; its account is the owner of a resource that is named without one.
    func resource(_ values: [String], in scope: CallScope) throws(UndecidableCall) -> ResourceName {
        var naming = Naming(scope: scope, service: service, region: region, account: account)
        var rest = values[...]
        for piece in pieces {
            switch piece {
            case .text(let text): naming.text += text
            case .placeholder(let kind): try naming.append(kind, &rest)
            }
        }
        let arn =
            naming.arn.map { $0 + naming.text }
            ?? scope.prefix(service: naming.service, region: region, account: naming.account) + naming.text
        return switch naming.unknown {
        case nil: .known(arn)
        case .key: .keyOfAlias(arn)
        default: .secret(arn, id: values.first ?? "")
        }
    }
}

/// The ARN of a resource while its pieces are joined.
private struct Naming {
    let scope: CallScope
    /// `r` for the region of the call.
    let region: String
    var service: String
    var account: String
    /// The text behind the account, or behind the ARN that a value is.
    var text = ""
    /// The ARN that a value is; `nil` if no value is one.
    var arn: String?
    /// The placeholder whose resource only the service knows.
    var unknown: ResourceType.Placeholder?
    /// Whether no value was named yet. Only the first one can be an ARN; in the others, the text of one is a name.
    private var isFirst = true

    init(scope: CallScope, service: String, region: String, account: String) {
        self.scope = scope
        self.region = region
        self.service = service
        self.account = account
    }

    /// Appends the value of a placeholder.
    mutating func append(_ kind: ResourceType.Placeholder, _ values: inout ArraySlice<String>) throws(UndecidableCall) {
        guard let value = values.popFirst() else { return }
        defer { isFirst = false }
        if isARN(value) { try check(value, isOfBus: kind == .bus, isOfNode: kind == .node) }
        switch kind {
        case .plain: put(value)
        case .queue: try appendQueue(value)
        case .parameter: appendParameter(value)
        case .node: appendNode(value)
        case .tagged: try appendTagged(type: value, values.popFirst() ?? "")
        case .key: appendKey(value)
        case .alias: put(value)
        case .secret:
            put(value)
            unknown = .secret
        case .function: try appendFunction(value, qualifier: &values)
        case .layer: put(value)
        case .busName: put(value)
        case .bus: try appendBus(value)
        case .group: appendGroup(value)
        }
    }

    private func isARN(_ value: String) -> Bool { isFirst && value.hasPrefix("arn:") }

    private mutating func append(_ value: String) { text += value }

    /// Puts a value in its place, or, if it is an ARN, in the place of all before it.
    private mutating func put(_ value: String) {
        if isARN(value) {
            replace(by: value)
        } else {
            append(value)
        }
    }

    private mutating func replace(by value: String) {
        arn = value
        text = ""
    }

    /// Appends a queue by its URL, whose last two segments are account and name, or by its bare name. (SQS Developer Guide, "Queue and
    /// message identifiers".) A URL that has to be decoded is refused.
    private mutating func appendQueue(_ value: String) throws(UndecidableCall) {
        if isARN(value) { return replace(by: value) }
        guard !value.utf8.contains(where: { $0 == 0x25 || $0 == 0x3F || $0 == 0x23 }) else { throw .contradiction("QueueUrl") }
        let segments = value.split(separator: "/")
        if segments.count > 1 {
            let owner = segments[segments.count - 2]
            if String(owner).isAccount { account = String(owner) }
        }
        append(segments.last.map { String($0) } ?? "")
    }

    /// Appends a parameter. Its name or ARN can have a version or a label behind a colon, which policies do not see. (Systems Manager API
    /// Reference, "GetParameter", Name.)
    private mutating func appendParameter(_ value: String) {
        guard isARN(value) else {
            let name = value.prefix { $0 != ":" }
            return append(String(name.hasPrefix("/") ? name.dropFirst() : name))
        }
        replace(by: value.split(separator: ":", omittingEmptySubsequences: false).prefix(6).joined(separator: ":"))
    }

    /// Refuses an ARN that names a resource of another partition, service, region or type than the call can mean: some upstreams look at
    /// its end only, and policies at the whole text.
    private func check(_ value: String, isOfBus: Bool, isOfNode: Bool) throws(UndecidableCall) {
        let parts = value.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false).map { String($0) }
        // Documents of AWS have no account.
        guard parts.count == 6, parts[4].isAccount || account != "a" && parts[4] == account || text == "document/" && parts[4].isEmpty,
            parts[1] == scope.partition, parts[2] == service || isOfNode && parts[2] == "ssm",
            parts[3] == (region == "r" ? scope.region : region), isOfBus || parts[5].hasPrefix(text)
        else { throw .contradiction(value) }
        // The ARN of an index names no table.
        if service == "dynamodb", text == "table/", parts[5].utf8.count(where: { $0 == 0x2F }) > 1 { throw .contradiction(value) }
    }

    /// Appends an instance of EC2, or a managed instance of Systems Manager, whose identifiers begin with `mi-`.
    private mutating func appendNode(_ value: String) {
        if isARN(value) { return replace(by: value) }
        if value.hasPrefix("mi-") {
            service = "ssm"
            append("managed-instance/\(value)")
        } else {
            append("instance/\(value)")
        }
    }

    /// Appends a resource with tags. (Systems Manager API Reference, "AddTagsToResource", ResourceType.)
    private mutating func appendTagged(type: String, _ identifier: String) throws(UndecidableCall) {
        if isARN(identifier) {
            try check(identifier, isOfBus: false, isOfNode: false)
            return replace(by: identifier)
        }
        let kind =
            switch type {
            case "Association": "association"
            case "Automation": "automation-execution"
            case "Document": "document"
            case "MaintenanceWindow": "maintenancewindow"
            case "ManagedInstance": "managed-instance"
            case "OpsItem": "opsitem"
            case "OpsMetadata": "opsmetadata"
            case "PatchBaseline": "patchbaseline"
            default: "parameter"
            }
        append("\(kind)/\(kind == "parameter" && identifier.hasPrefix("/") ? String(identifier.dropFirst()) : identifier)")
    }

    /// Appends a key. (KMS Developer Guide, "Key identifiers".)
    private mutating func appendKey(_ value: String) {
        if isARN(value) {
            replace(by: value)
            // The resource of an ARN begins behind its fifth colon.
            let resource = value.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false).dropFirst(5).first ?? ""
            if resource.hasPrefix("alias/") { unknown = .key }
        } else if value.hasPrefix("alias/") {
            append(value)
            unknown = .key
        } else {
            append("key/\(value)")
        }
    }

    /// Appends a function: its name, `NAME:QUALIFIER`, `ACCOUNT:function:NAME`, or its ARN, with a qualifier or without. (Lambda API
    /// Reference, "Invoke", FunctionName.)
    /// - Parameter values: the separate qualifier, if the type has one. It must be the one in the name if that has one, too.
    private mutating func appendFunction(_ value: String, qualifier values: inout ArraySlice<String>) throws(UndecidableCall) {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        var name: ArraySlice<String>
        if isARN(value) {
            guard parts.count == 7 || parts.count == 8 else { throw .contradiction("FunctionName") }
            replace(by: parts[..<7].joined(separator: ":"))
            name = parts[6...]
        } else {
            name = parts[...]
            if name.count > 2, name.dropFirst().first == "function" {
                account = name[0]
                name = name.dropFirst(2)
            } else if name.count > 1, name.first == "function" {
                name = name.dropFirst()
            }
            guard name.count < 3, let first = name.first else { throw .contradiction("FunctionName") }
            append(first)
        }
        guard let inName = name.dropFirst().first else { return }
        // The qualifier of the type follows behind a colon, unless the name has it already.
        if let separate = values.first {
            guard separate == inName else { throw .contradiction("Qualifier") }
        } else {
            text += ":\(inName)"
        }
    }

    /// Appends the event bus of a rule, with a slash behind it. The ARN of a bus contains the account of the rule.
    private mutating func appendBus(_ value: String) throws(UndecidableCall) {
        var name = value
        if isARN(value) {
            let parts = value.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false).map { String($0) }
            guard parts.count == 6, parts[5].hasPrefix("event-bus/") else { throw .contradiction("EventBusName") }
            replace(by: parts[..<5].joined(separator: ":") + ":rule/")
            name = String(parts[5].dropFirst("event-bus/".count))
        }
        if name != "default" { append("\(name)/") }
    }

    /// Appends a log group. Its ARN may have `:*` at the end. (CloudWatch Logs API Reference, "LogGroup".)
    private mutating func appendGroup(_ value: String) {
        guard isARN(value) else { return append(value) }
        replace(by: value.hasSuffix(":*") ? String(value.dropLast(2)) : value)
    }
}

extension String {
    /// Whether the text is the number of an account.
    var isAccount: Bool { utf8.count == 12 && utf8.allSatisfy { 0x30...0x39 ~= $0 } }
}
