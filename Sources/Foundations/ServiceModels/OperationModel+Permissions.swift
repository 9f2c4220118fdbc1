import WireFormats

extension ServiceModel {
    /// Returns the permissions that a call needs, without repetition and in the order in which they are decided. A call of several resources
    /// needs one for each.
    /// - Parameters:
    ///   - operation: the operation that was called.
    ///   - method: the HTTP method, for services that are decided by it.
    ///   - path: the path as received, for services that are decided by it, and for SQS, where it can name the queue again.
    package func permissions(
        for operation: OperationModel, _ input: CallInput, method: String = "POST", path: String = "/", in scope: CallScope
    ) throws(UndecidableCall) -> [RequiredPermission] {
        var scope = scope
        if decidesByPath {
            // These ARNs have no account. (API Gateway Developer Guide, "Resource format of permissions for managing API Gateway".)
            let resource = scope.prefix(service: name, region: "r", account: "") + path
            return [RequiredPermission("\(name):\(method)", on: .known(resource))]
        }
        guard let rule = operation.rule else { throw .unmapped }
        for member in accountMembers {
            guard let owner = try input.texts(at: MemberPath(member)).first else { continue }
            guard owner.isAccount else { throw .contradiction(member) }
            scope.account = owner
        }
        var found: [RequiredPermission] = []
        for part in rule.parts {
            switch part {
            case .permission(let action, let member, let choices, let fallback):
                if let member, !input.has(member) { continue }
                for resource in try resources(choices, fallback, input, scope) {
                    found.append(RequiredPermission("\(name):\(action ?? operation.name)", on: resource))
                }
            case .passRole(let path):
                for role in try input.texts(at: path) {
                    found.append(RequiredPermission("iam:PassRole", on: .known(roleARN(role, scope)), passedTo: passedService))
                }
            case .partiQL(let path):
                for statement in try input.texts(at: path) { found += try permissions(forStatement: statement, scope) }
            }
        }
        // A batch without entries: the service refuses it, and only a policy about all of its resources lets it through.
        if found.isEmpty {
            let resource = try unnamedResource(scope)
            found.append(RequiredPermission("\(name):\(operation.name)", on: resource))
        }
        if name == "sqs", path != "/", let queue = types["queue"] {
            let byPath = try queue.resource([path], in: scope)
            guard found.allSatisfy({ $0.resource == byPath }) else { throw .contradiction("QueueUrl") }
        }
        if name == "ssm" { found += try permissions(forSecretsOf: found, scope) }
        // No call of AWS names so many; each would be decided and recorded.
        guard found.count <= Self.mostPermissions else { throw .contradiction("A list of resources") }
        var seen = TextDictionary<Bool>()
        return found.filter { permission in
            if seen[permission.identity] != nil { return false }
            seen[permission.identity] = true
            return true
        }
    }

    /// The most permissions that one call may need. Batches of AWS have at most 100 entries.
    private static let mostPermissions = 1000

    /// Returns the permissions for secrets that a call of Systems Manager reads by the names of parameters. (Systems Manager User Guide,
    /// "Referencing AWS Secrets Manager secrets from Parameter Store parameters".)
    private func permissions(forSecretsOf found: [RequiredPermission], _ scope: CallScope) throws(UndecidableCall) -> [RequiredPermission] {
        var permissions: [RequiredPermission] = []
        for permission in found {
            guard case .known(let text) = permission.resource, let place = text.firstRange(of: ":parameter/aws/reference/secretsmanager/")
            else { continue }
            let secret = String(text[place.upperBound...])
            let resource = try ResourceType("secretsmanager:r:a:secret:{secret}").resource([secret], in: scope)
            permissions.append(RequiredPermission("secretsmanager:GetSecretValue", on: resource))
        }
        return permissions
    }

    /// Returns the resources of the first choice that names any.
    private func resources(
        _ choices: [[OperationRule.Reference]], _ fallback: OperationRule.Fallback, _ input: CallInput, _ scope: CallScope
    ) throws(UndecidableCall) -> [ResourceName] {
        for choice in choices {
            var found: [ResourceName] = []
            for reference in choice { found += try resources(reference, input, scope) }
            if !found.isEmpty { return found }
        }
        // A part about entries of a list has nothing to decide if there are none of its kind.
        let isAboutLists = choices.contains { $0.contains(where: \.isList) }
        if fallback == .nothing || isAboutLists { return [] }
        let resource = try unnamedResource(scope)
        return [resource]
    }

    private func resources(
        _ reference: OperationRule.Reference, _ input: CallInput, _ scope: CallScope
    ) throws(UndecidableCall) -> [ResourceName] {
        switch reference {
        case .value(let path): return try input.texts(at: path).map { ResourceName.known($0) }
        case .typed(let name, let paths):
            guard let type = types[name] else { throw .unmapped }
            if paths.count == 1 {
                var found: [ResourceName] = []
                for text in try input.texts(at: paths[0]) {
                    let resource = try type.resource([text], in: scope)
                    found.append(resource)
                }
                return found
            }
            var values: [String] = []
            for path in paths {
                let texts = try input.texts(at: path)
                guard texts.count < 2 else { throw .repeatedMember(path.name) }
                guard let text = texts.first else { return [] }
                values.append(text)
            }
            let resource = try type.resource(values, in: scope)
            return [resource]
        }
    }

    private func unnamedResource(_ scope: CallScope) throws(UndecidableCall) -> ResourceName {
        guard let unnamed else { return .known("*") }
        return try unnamed.resource([], in: scope)
    }

    /// Returns the ARN of a role that is passed; some operations take its name.
    private func roleARN(_ role: String, _ scope: CallScope) -> String {
        role.hasPrefix("arn:") ? role : scope.prefix(service: "iam", region: "", account: "a") + "role/\(role)"
    }
}

extension OperationRule.Reference {
    /// Whether the reference may name several resources.
    fileprivate var isList: Bool {
        let paths =
            switch self {
            case .value(let path): [path]
            case .typed(_, let paths): paths
            }
        return paths.contains { path in
            path.steps.contains { step in
                if case .member = step { false } else { true }
            }
        }
    }
}
