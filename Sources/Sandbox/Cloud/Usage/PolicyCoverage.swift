import Directory
import ObjectStore
package import Policy
import WireFormats

/// Which statements of the sandbox's policies decided recorded requests.
package struct PolicyCoverage: Sendable {
    /// What a statement did.
    package enum Use: String, Sendable {
        /// Without the statement, a request would have been decided differently.
        case decided
        /// The statement applied to requests, and none of them would have been decided differently without it.
        case applied
        /// The statement applied to no request.
        case never
    }

    /// One statement.
    package struct StatementUse: Sendable {
        /// The Sid, if there is one.
        package var sid: String?
        /// Whether the effect is Deny.
        package var isDeny: Bool
        /// The line of the statement in the formatted policy.
        package var line: Int
        /// The number of distinct requests that the statement applied to.
        package var applied = 0
        /// The number of distinct requests that would have been decided differently without it.
        package var decided = 0

        /// What the statement did.
        package var use: Use { decided > 0 ? .decided : applied > 0 ? .applied : .never }
    }

    /// One policy in one role.
    package struct CoveredPolicy: Sendable {
        /// The role in which the policy is evaluated.
        package var type: PolicyType
        /// The name, or the ARN of a managed policy.
        package var name: String
        /// The entity that the policy belongs to; empty for managed policies and session policies.
        package var holder: String
        /// A relative path for the policy as a file, which is unique.
        package var file: String
        /// The policy.
        package var document: PolicyDocument
        /// The statements in order.
        package var statements: [StatementUse]
    }

    /// Whether every request since recording began was considered.
    package private(set) var isComplete: Bool
    /// The number of distinct requests.
    package private(set) var requests: Int
    /// The policies, sorted by type, holder and name.
    package private(set) var policies: [CoveredPolicy] = []

    private var places: [Key: Int] = [:]

    /// A policy with the same text in the same place counts as the same policy, also after a reset.
    private struct Key: Hashable {
        var type: PolicyType
        var holder: String
        var name: String
        var json: JSONValue
    }

    /// Computes the coverage of the current policies.
    package init(of cloud: Cloud) {
        let contents = cloud.usage.contents
        isComplete = contents.isComplete
        requests = contents.questions.count
        addIdentities(cloud.directory)
        for bucket in cloud.objects.allBuckets { add(bucket) }
        for question in contents.questions {
            let request = question.request
            for policy in request.policies.session ?? [] {
                add(policy.document, .session, policy.origin.arn ?? "session policy", file: "session/policy")
            }
            count(request)
        }
        policies.sort { ($0.type.rawValue, $0.holder, $0.name, $0.file) < ($1.type.rawValue, $1.holder, $1.name, $1.file) }
    }

    /// Keeps only the policies that satisfy a predicate.
    package mutating func keep(where isKept: (CoveredPolicy) -> Bool) { policies.removeAll { !isKept($0) } }

    /// The number of statements with a use.
    package func count(_ use: Use) -> Int { policies.reduce(0) { $0 + $1.statements.count { $0.use == use } } }

    private mutating func addIdentities(_ directory: Directory) {
        var attached: Set<String> = []
        var boundaries: Set<String> = []
        func inline(_ policies: [InlinePolicy], _ kind: PolicyHolderKind, _ name: String, _ account: String) {
            for policy in policies {
                add(
                    policy.document, .identityBased, policy.name, of: "\(kind.rawValue) \(name) in \(account)",
                    file: "\(account)/\(kind.rawValue)/\(name)/\(policy.name)")
            }
        }
        for user in directory.users.values.map(\.user) {
            inline(user.policies, .user, user.name, user.account)
            attached.formUnion(user.attachedPolicies)
            if let boundary = user.boundary { boundaries.insert(boundary) }
        }
        for group in directory.groups.values {
            inline(group.policies, .group, group.name, group.account)
            attached.formUnion(group.attachedPolicies)
        }
        for role in directory.roles.values.map(\.role) {
            inline(role.policies, .role, role.name, role.account)
            attached.formUnion(role.attachedPolicies)
            if let boundary = role.boundary { boundaries.insert(boundary) }
            add(role.trustPolicy.document, .roleTrust, "trust policy", of: role.arn, file: "\(role.account)/trust/\(role.name)")
        }
        attached.formUnion(directory.policies.keys.filter { !boundaries.contains($0) })
        for (arns, type) in [(attached, PolicyType.identityBased), (boundaries, .permissionsBoundary)] {
            for arn in arns {
                guard let policy = directory.policy(arn: arn), let document = policy.document else { continue }
                let folder = type == .identityBased ? "managed" : "boundary"
                add(document, type, arn, file: "\(policy.account)/\(folder)/\(policy.name)")
            }
        }
    }

    private mutating func add(_ bucket: Bucket) {
        let texts: [(String?, PolicyDialect)] = [(bucket.policy, .ceph), (bucket.configuration.documents[.ossPolicy], .ram)]
        for (text, dialect) in texts {
            guard let text, let document = try? PolicyDocument(parsing: text, kind: .resource, dialect: dialect) else { continue }
            add(document, .resourceBased, "bucket policy", of: "bucket \(bucket.name)", file: "\(bucket.account)/bucket/\(bucket.name)")
        }
    }

    private mutating func add(_ document: PolicyDocument, _ type: PolicyType, _ name: String, of holder: String = "", file: String) {
        // Session policies with the same text are one policy.
        let key = Key(type: type, holder: holder, name: type == .session ? "" : name, json: document.json)
        guard places[key] == nil else { return }
        places[key] = policies.count
        let lines = PolicyText(document.json).lines
        let statements = zip(document.outline, lines).map { StatementUse(sid: $0.sid, isDeny: $0.isDeny, line: $1) }
        let file = type == .session ? "\(file)-\(policies.count { $0.type == .session } + 1)" : file
        policies.append(
            CoveredPolicy(
                type: type, name: name, holder: holder, file: file + ".json", document: document, statements: statements))
    }

    private struct Place: Hashable {
        var policy: Int
        var statement: Int
    }

    /// Counts a request for each statement that applied to it, once if its policy is attached several times.
    private mutating func count(_ request: DecidedRequest) {
        var counted: Set<Place> = []
        for effect in request.effects {
            guard let policy = places[key(of: effect, request)], policies[policy].statements.indices.contains(effect.index),
                counted.insert(Place(policy: policy, statement: effect.index)).inserted
            else { continue }
            policies[policy].statements[effect.index].applied += 1
            if effect.isDecisive { policies[policy].statements[effect.index].decided += 1 }
        }
    }

    private func key(of effect: StatementEffect, _ request: DecidedRequest) -> Key {
        let name: String =
            switch (effect.type, effect.policy.origin) {
            case (.session, _): ""
            case (_, .managed(let arn)): arn
            case (_, .inline(_, _, let name)): name
            case (.roleTrust, .other): "trust policy"
            case (_, .other): "bucket policy"
            }
        return Key(
            type: effect.type, holder: request.holder(of: effect.policy, as: effect.type), name: name, json: effect.policy.document.json)
    }
}
