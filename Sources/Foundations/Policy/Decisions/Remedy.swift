package import WireFormats

/// The smallest change of policies that allows a request which they deny.
package struct Remedy: Hashable, Sendable {
    /// One change of one policy.
    package struct Step: Hashable, Sendable {
        /// A change of a statement.
        package enum Change: Hashable, Sendable {
            /// Add this statement.
            case add(JSONValue)
            /// Remove or narrow the statement at this index, from 0, which denies the request.
            case remove(index: Int, sid: String?)
        }

        /// The kind of policy that changes.
        package var type: PolicyType
        /// A description of the policy: its name and holder, or the identity to which a new one must be attached.
        package var policy: String
        /// The change.
        package var change: Change
    }

    /// The steps in the order of evaluation; never empty.
    package var steps: [Step]

    /// The steps as lines of text. A statement is one line of JSON that can be pasted.
    package var explanation: [String] {
        steps.flatMap { step in
            switch step.change {
            case .add(let statement): ["to allow it, add to \(step.policy):", "  \(statement.serialized())"]
            case .remove(let index, let sid):
                ["to allow it, remove or narrow statement \(sid.map { "\"\($0)\"" } ?? "\(index + 1)") (Deny) of \(step.policy)"]
            }
        }
    }
}

extension PolicySet {
    /// Returns the smallest change after which these policies allow the request. It decides again after each step.
    ///
    /// Statements that deny are removed. If a policy must allow and does not, a statement is added with exactly this action, this
    /// resource and, in policies that name principals, this principal.
    /// - Returns: nil if the request is allowed, if no statement can allow it, or if a statement would allow it with a value for a policy
    ///   variable that the request does not have.
    package func remedy(for request: RequestContext) -> Remedy? {
        var policies = self
        var steps: [Remedy.Step] = []
        // Each type of policy needs at most one statement.
        for _ in 0..<6 {
            switch policies.decision(for: request).outcome {
            case .allowed: return steps.isEmpty ? nil : Remedy(steps: steps)
            case .explicitDeny: steps += policies.removeDenials(of: request)
            case .implicitDeny(let missing):
                guard policies.unresolvedVariables(for: request).isEmpty else { return nil }
                let tags = policies.comparedTags(in: missing, of: request)
                guard let step = policies.add(RemedyStatement(request: request, rule: rule, tags: tags), to: missing) else { return nil }
                steps.append(step)
            }
        }
        return nil
    }

    /// Removes every statement that denies the request.
    private mutating func removeDenials(of request: RequestContext) -> [Remedy.Step] {
        let holder = request.principal
        var steps: [Remedy.Step] = []
        func strip(_ policy: AttachedPolicy, _ type: PolicyType) -> AttachedPolicy {
            var kept = policy
            for (index, statement) in policy.document.statements.enumerated().reversed() {
                guard statement.effect == .deny, case .matched = statement.outcome(for: request) else { continue }
                kept.document = kept.document.removing(statementAt: index)
                steps.append(.init(type: type, policy: policy.described(type, holder), change: .remove(index: index, sid: statement.sid)))
            }
            return kept
        }
        identity = identity.map { strip($0, .identityBased) }
        boundary = boundary.map { strip($0, .permissionsBoundary) }
        session = session.map { $0.map { strip($0, .session) } }
        resource = resource.map { strip($0, $0.document.kind == .trust ? .roleTrust : .resourceBased) }
        return steps
    }

    /// Returns the tags of the request, as condition keys, that are compared by a statement which would allow the request but for its
    /// conditions. A statement without them would allow more than this request.
    private func comparedTags(in type: PolicyType, of request: RequestContext) -> [(String, JSONValue)] {
        let policies: [AttachedPolicy] =
            switch type {
            case .identityBased: identity
            case .permissionsBoundary: boundary.map { [$0] } ?? []
            case .session: session ?? []
            case .resourceBased, .roleTrust, .accessControlList: resource.map { [$0] } ?? []
            }
        for statement in policies.flatMap(\.document.statements) where statement.effect == .allow {
            guard case .mismatch(.condition(_)) = statement.outcome(for: request) else { continue }
            var tags: [(String, JSONValue)] = []
            var known: Set<String> = []
            for condition in statement.conditions {
                let name = condition.lookupKey
                guard name.contains("tag/"), known.insert(name).inserted, let values = request.keys[name]?.all, values.count == 1 else {
                    continue
                }
                // A `${` in a value is escaped with a variable.
                let value = values.first.map { rule == .ram ? $0 : $0.replacing("${", with: "${$}{") } ?? ""
                tags.append((condition.key, .string(value)))
            }
            return tags
        }
        return []
    }

    /// Adds a statement to the policy of this type.
    private mutating func add(_ statement: RemedyStatement, to type: PolicyType) -> Remedy.Step? {
        let principal = statement.request.principal
        let kind: PolicyDocument.Kind =
            switch type {
            case .identityBased, .permissionsBoundary, .session: .identity
            case .resourceBased, .accessControlList: .resource
            case .roleTrust: .trust
            }
        guard let json = statement.json(in: kind),
            let document = try? PolicyDocument(
                json: ["Version": .string(rule == .ram ? "1" : "2012-10-17"), "Statement": [json]], kind: kind,
                dialect: rule == .ram ? .ram : .aws)
        else { return nil }
        let policy: String
        switch type {
        case .identityBased:
            let existing = identity.first { $0.isEditable }
            policy =
                existing?.described(type, principal)
                // RAM has no inline policies.
                ?? "a new \(rule == .ram ? "custom" : "inline") policy of \(principal.holder)"
            identity.append(AttachedPolicy("", document))
        case .permissionsBoundary:
            guard let boundary else { return nil }
            policy = boundary.described(type, principal)
            self.boundary?.document = boundary.document.adding(document)
        case .session:
            policy = "the session policy passed when the session's credentials were requested"
            session = (session ?? []) + [AttachedPolicy("", document)]
        case .resourceBased, .roleTrust, .accessControlList:
            policy = resource?.described(type, principal) ?? "the policy of \(statement.request.container)"
            resource = AttachedPolicy(
                resource?.label ?? "", resource?.document.adding(document) ?? document, isRequired: resource?.isRequired ?? false)
        }
        return .init(type: type, policy: policy, change: .add(json))
    }
}

/// A statement that allows exactly one request.
private struct RemedyStatement {
    let request: RequestContext
    let rule: EvaluationRule
    /// Tags that the statement compares, as condition keys.
    let tags: [(String, JSONValue)]

    /// - Returns: nil if no policy of this kind can name the principal.
    func json(in kind: PolicyDocument.Kind) -> JSONValue? {
        var statement: JSONObject = ["Effect": "Allow"]
        if kind != .identity {
            guard let principal = rule == .ram ? ramPrincipal(in: kind) : awsPrincipal else { return nil }
            statement["Principal"] = principal
        }
        statement["Action"] = .string(request.action)
        if kind != .trust {
            // A `${` in a key is escaped with a variable (IAM User Guide, "Policy variables", special characters).
            statement["Resource"] = .string(rule == .ram ? request.resource : request.resource.replacing("${", with: "${$}{"))
        }
        var conditions = tags
        if kind == .trust, case .federated(let provider) = request.principal.identity, rule == .aws {
            conditions = identifyingKeys(of: provider) + tags
        }
        if !conditions.isEmpty { statement["Condition"] = ["StringEquals": .object(JSONObject(conditions))] }
        return .object(statement)
    }

    private var awsPrincipal: JSONValue? {
        let principal = request.principal
        return switch principal.identity {
        case .anonymous: "*"
        case .root: ["AWS": .string(principal.name)]
        case .user(let arn, _): ["AWS": .string(arn)]
        case .assumedRole(let roleARN, _, _): ["AWS": .string(roleARN)]
        case .federatedUser(let sessionARN, _, _): ["AWS": .string(sessionARN)]
        case .federated(let provider): ["Federated": .string(provider)]
        case .service(let name): ["Service": .string(name)]
        }
    }

    private func ramPrincipal(in kind: PolicyDocument.Kind) -> JSONValue? {
        let principal = request.principal
        guard kind == .trust else {
            return switch principal.identity {
            case .anonymous: ["*"]
            case .root: principal.account.map { [.string($0)] }
            case .user(_, let id): [.string(id)]
            case .assumedRole(let roleARN, _, _):
                principal.account.map { account in
                    [.string("arn:sts::\(account):assumed-role/\(roleARN.split(separator: "/").last ?? "")/*")]
                }
            case .federatedUser, .federated, .service: nil
            }
        }
        return switch principal.identity {
        case .root: ["RAM": [.string(principal.name)]]
        case .user(let arn, _): ["RAM": [.string(arn)]]
        case .assumedRole(let roleARN, _, _): ["RAM": [.string(roleARN)]]
        case .federated(let provider): ["Federated": [.string(provider)]]
        case .service(let name): ["Service": [.string(name)]]
        case .anonymous, .federatedUser: nil
        }
    }

    /// Returns the application and the user of a token, as condition keys.
    /// (IAM User Guide, "Available keys for AWS web identity federation" and "Available keys for SAML-based AWS STS federation".)
    private func identifyingKeys(of provider: String) -> [(String, JSONValue)] {
        if provider.contains(":saml-provider/") { return values(of: ["SAML:aud", "SAML:sub"]) }
        let marker = ":oidc-provider/"
        let host = provider.firstRange(of: marker).map { String(provider[$0.upperBound...]) } ?? provider
        return values(of: ["aud", "sub", "app_id", "id", "user_id"].map { "\(host):\($0)" })
    }

    private func values(of names: [String]) -> [(String, JSONValue)] {
        names.compactMap { name in request.keys[name.lowercased()].flatMap(\.all.first).map { (name, .string($0)) } }
    }
}

extension AttachedPolicy {
    /// Whether the policy can be changed, which excludes the vendor's managed policies.
    fileprivate var isEditable: Bool {
        switch origin {
        case .inline: true
        case .managed(let arn): !arn.hasPrefix("arn:aws:iam::aws:") && !arn.hasPrefix("acs:ram::system:")
        case .other: false
        }
    }

    /// Returns a description of the policy.
    fileprivate func described(_ type: PolicyType, _ principal: Principal) -> String {
        switch origin {
        case .inline(let kind, let holder, let name): "inline policy \"\(name)\" of \(kind.rawValue) \(holder)"
        case .managed(let arn): type == .permissionsBoundary ? "permissions boundary \(arn)" : "managed policy \(arn)"
        case .other: type == .session ? "the session policy" : "the \(label)"
        }
    }
}

extension Principal {
    /// The identity whose identity-based policies apply to the caller.
    fileprivate var holder: String {
        func name(_ arn: String) -> String { String(arn.split(separator: "/").last ?? "") }
        return switch identity {
        case .user(let arn, _): "user \(name(arn))"
        case .assumedRole(let roleARN, _, _): "role \(name(roleARN))"
        case .federatedUser(_, let userARN, _): "user \(name(userARN))"
        case .anonymous, .root, .federated, .service: self.name
        }
    }
}

extension RequestContext {
    /// The resource that can have a policy of its own; for an object, its bucket.
    fileprivate var container: String {
        let prefix = "arn:aws:s3:::"
        if resource.hasPrefix(prefix) { return "bucket \(resource.dropFirst(prefix.count).prefix { $0 != "/" })" }
        return resource
    }
}
