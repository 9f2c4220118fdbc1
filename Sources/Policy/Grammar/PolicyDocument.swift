package import WireFormats

/// A policy in the JSON language of AWS or of Alibaba Cloud, parsed and compiled once and then compared with any number of requests
/// (IAM User Guide, "Grammar of the IAM JSON policy language"; RAM User Guide, "Policy structure and syntax").
///
/// It is immutable and shared by reference. Everything in it is known to mean something: a document with an unknown operator, element or
/// principal form, or with a literal that its operator cannot read, is refused.
package final class PolicyDocument: Sendable {
    /// What a policy is attached to, which decides the elements it must and must not have.
    package enum Kind: Sendable {
        /// Attached to a user, group or role, or a permissions boundary or session policy: names no principal.
        case identity
        /// Attached to a bucket or another resource: must name principals and resources.
        case resource
        /// The trust policy of a role: must name principals, has no resource, allows actions of STS only.
        case trust
    }

    /// The version of the language; 2008-10-17 when the document names none. Policy variables exist since 2012-10-17.
    package enum Version: String, Sendable {
        case y2008 = "2008-10-17"
        case y2012 = "2012-10-17"
        /// The only one of Alibaba Cloud.
        case ram = "1"

        /// One of AWS.
        init?(aws text: String) {
            guard let version = Version(rawValue: text), version != .ram else { return nil }
            self = version
        }
    }

    /// What the policy is attached to, which decides its grammar.
    package let kind: Kind
    /// The version of the policy language.
    package let version: Version
    /// The Id element, if there is one.
    package let id: String?
    /// The document as it was given.
    package let json: JSONValue
    let statements: [Statement]

    /// Parses a document.
    package convenience init(json: JSONValue, kind: Kind, dialect: PolicyDialect = .aws) throws(PolicySyntaxError) {
        let parsed =
            switch dialect {
            case .aws, .awsManaged, .ceph: try PolicyParser(kind: kind, dialect: dialect).document(json)
            case .ram: try RAMPolicyParser(kind: kind).document(json)
            }
        self.init(parsed, kind: kind, json: json)
    }

    /// Parses the text of a document.
    package convenience init(parsing text: String, kind: Kind, dialect: PolicyDialect = .aws) throws(PolicySyntaxError) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: text)
        } catch {
            let message =
                switch (dialect, kind) {
                case (.ram, _): PolicySyntaxError.malformed
                case (_, .identity): PolicySyntaxError.syntax
                case (_, .resource): "Policies must be valid JSON and the first byte must be '{'"
                case (_, .trust): PolicySyntaxError.trustJSON
                }
            throw PolicySyntaxError(message, "\(error)")
        }
        try self.init(json: json, kind: kind, dialect: dialect)
    }

    private init(_ parsed: PolicyParser.Document, kind: Kind, json: JSONValue) {
        self.kind = kind
        self.version = parsed.version
        self.id = parsed.id
        self.json = json
        self.statements = parsed.statements
    }

    /// A policy that says nothing, which no text can be: what is left of one that is gone.
    package static let silent = PolicyDocument(
        PolicyParser.Document(version: .y2012, id: nil, statements: []), kind: .identity, json: .object([:]))

    /// The same policy, its user and role ARNs bound to the principals that had them when it was saved, so that one deleted and created
    /// again under the same name is not meant any more (IAM User Guide, "AWS JSON policy elements: Principal").
    /// - Parameter uniqueID: the id (`AIDA…`, `AROA…`) of the user or role with an ARN; nil where the ARN stays what it is.
    package func bound(to uniqueID: (String) -> String?) -> PolicyDocument {
        replacingPrincipals { element in
            switch element {
            case .user(let arn, _): .user(arn: arn, id: uniqueID(arn))
            case .role(let arn, _): .role(arn: arn, id: uniqueID(arn))
            default: element
            }
        }
    }

    /// The ARNs and unique identifiers by which the policy names users and roles, in order.
    package var principalNames: [String] {
        principals.compactMap { element in
            switch element {
            case .user(let arn, _), .role(let arn, _): arn
            case .uniqueID(let id): id
            default: nil
            }
        }
    }

    /// The same policy, its canonical users replaced by the accounts that they stand for, as AWS stores them.
    /// - Parameter account: the account of a canonical user; nil if there is none, which leaves the user as it is.
    package func resolvingCanonicalUsers(_ account: (String) -> String?) -> PolicyDocument {
        replacingPrincipals { element in
            guard case .canonicalUser(let id) = element, let account = account(id) else { return element }
            return .account(account)
        }
    }

    private func replacingPrincipals(_ replace: (PrincipalElement) -> PrincipalElement) -> PolicyDocument {
        let statements = statements.map { statement in
            switch statement.principals {
            case .absent: statement
            case .named(let elements): statement.with(.named(elements.map(replace)))
            case .allBut(let elements): statement.with(.allBut(elements.map(replace)))
            }
        }
        return PolicyDocument(PolicyParser.Document(version: version, id: id, statements: statements), kind: kind, json: json)
    }

    /// What the policy denies, without what it allows; nil if it denies nothing.
    package var denials: PolicyDocument? {
        let denials = statements.filter { $0.effect == .deny }
        guard !denials.isEmpty else { return nil }
        return PolicyDocument(PolicyParser.Document(version: version, id: id, statements: denials), kind: kind, json: json)
    }

    /// The same policy without one of its statements.
    func removing(statementAt index: Int) -> PolicyDocument {
        var statements = statements
        statements.remove(at: index)
        return PolicyDocument(PolicyParser.Document(version: version, id: id, statements: statements), kind: kind, json: json)
    }

    /// The same policy with the statements of another one at its end.
    func adding(_ other: PolicyDocument) -> PolicyDocument {
        PolicyDocument(PolicyParser.Document(version: version, id: id, statements: statements + other.statements), kind: kind, json: json)
    }

    /// The policy as it applies to the owner of its bucket at Alibaba Cloud: what it says of everybody, without a condition, it does not say
    /// of the owner; nil if nothing is left. (OSS User Guide, "Bucket policy", "How it works".)
    package var forBucketOwner: PolicyDocument? {
        let statements = statements.compactMap { statement -> Statement? in
            guard statement.conditions.isEmpty, case .named(let elements) = statement.principals else { return statement }
            let others = elements.filter { $0 != .everyone }
            return others.isEmpty ? nil : statement.with(.named(others))
        }
        guard !statements.isEmpty else { return nil }
        return PolicyDocument(PolicyParser.Document(version: version, id: id, statements: statements), kind: kind, json: json)
    }

    /// The canonical users that the policy names.
    package var canonicalUsers: [String] { principals.compactMap { if case .canonicalUser(let id) = $0 { id } else { nil } } }

    private var principals: [PrincipalElement] {
        statements.flatMap { statement -> [PrincipalElement] in
            switch statement.principals {
            case .absent: []
            case .named(let elements), .allBut(let elements): elements
            }
        }
    }

    /// The condition keys that the policy reads, in conditions and as variables: lower-cased, sorted, unique.
    package var conditionKeys: [String] {
        var keys: Set<String> = []
        for statement in statements {
            for condition in statement.conditions {
                keys.insert(condition.lookupKey)
                for pattern in condition.test.patterns { keys.formUnion(pattern.variableKeys) }
            }
            for pattern in statement.resources?.patterns ?? [] { keys.formUnion(pattern.variableKeys) }
        }
        return keys.sorted()
    }
}
