package import WireFormats

/// A policy in the JSON language of AWS or of Alibaba Cloud. It is parsed and compiled once, then compared with any number of requests
/// (IAM User Guide, "Grammar of the IAM JSON policy language"; RAM User Guide, "Policy structure and syntax").
///
/// It is immutable and shared by reference. Every element is valid: a document with an unknown operator, element or principal form, or
/// with a value that is invalid for its operator, is rejected.
package final class PolicyDocument: Sendable {
    /// The kind of entity to which a policy is attached. It decides which elements are required and which are not allowed.
    package enum Kind: Sendable {
        /// Attached to a user, group or role, or a permissions boundary or session policy: has no Principal element.
        case identity
        /// Attached to a bucket or another resource: must have principals and resources.
        case resource
        /// The trust policy of a role: must have principals, has no resource, allows only actions of STS.
        case trust
    }

    /// The version of the language; 2008-10-17 if the document has none. Policy variables exist since 2012-10-17.
    package enum Version: String, Sendable {
        case y2008 = "2008-10-17"
        case y2012 = "2012-10-17"
        /// The only version of Alibaba Cloud.
        case ram = "1"

        /// Creates a version of AWS from its text; `nil` for any other.
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
    /// The document as it was passed.
    package let json: JSONValue
    let statements: [Statement]
    /// The index of each statement in ``json``.
    package let indexes: [Int]

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
                case (_, .resource), (_, .trust): PolicySyntaxError.invalidJSON
                }
            throw PolicySyntaxError(message, "\(error)")
        }
        try self.init(json: json, kind: kind, dialect: dialect)
    }

    /// - Parameter indexes: the index of each statement in the JSON document, if some of its statements are left out.
    private init(_ parsed: PolicyParser.Document, kind: Kind, json: JSONValue, indexes: [Int]? = nil) {
        self.indexes = indexes ?? Array(parsed.statements.indices)
        self.kind = kind
        self.version = parsed.version
        self.id = parsed.id
        self.json = json
        self.statements = parsed.statements
    }

    /// A policy without statements, which cannot be written as text. It replaces a policy that was deleted or is invalid.
    package static let empty = PolicyDocument(
        PolicyParser.Document(version: .y2012, id: nil, statements: []), kind: .identity, json: .object([:]))

    /// Returns the same policy with its user and role ARNs bound to the principals that had them when it was saved. A principal that
    /// is deleted and created again under the same name then no longer matches (IAM User Guide, "AWS JSON policy elements: Principal").
    /// - Parameter uniqueID: returns the id (`AIDA…`, `AROA…`) of the user or role with an ARN; nil if the ARN stays unbound.
    package func bound(to uniqueID: (String) -> String?) -> PolicyDocument {
        replacingPrincipals { element in
            switch element {
            case .user(let arn, _): .user(arn: arn, id: uniqueID(arn))
            case .role(let arn, _): .role(arn: arn, id: uniqueID(arn))
            default: element
            }
        }
    }

    /// The ARNs and unique identifiers of users and roles in the policy, in order.
    package var principalNames: [String] {
        principals.compactMap { element in
            switch element {
            case .user(let arn, _), .role(let arn, _): arn
            case .uniqueID(let id): id
            default: nil
            }
        }
    }

    /// Returns the same policy with its canonical users replaced by their accounts, as AWS stores them.
    /// - Parameter account: returns the account of a canonical user; nil if there is none, in which case the user stays.
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
        return PolicyDocument(
            PolicyParser.Document(version: version, id: id, statements: statements), kind: kind, json: json, indexes: indexes)
    }

    /// The policy with only its Deny statements; nil if it has none.
    package var denials: PolicyDocument? {
        let denials = zip(statements, indexes).filter { $0.0.effect == .deny }
        guard !denials.isEmpty else { return nil }
        return PolicyDocument(
            PolicyParser.Document(version: version, id: id, statements: denials.map(\.0)), kind: kind, json: json,
            indexes: denials.map(\.1))
    }

    /// Returns the same policy without one of its statements.
    func removing(statementAt index: Int) -> PolicyDocument {
        var (statements, indexes) = (statements, indexes)
        statements.remove(at: index)
        indexes.remove(at: index)
        return PolicyDocument(
            PolicyParser.Document(version: version, id: id, statements: statements), kind: kind, json: json, indexes: indexes)
    }

    /// Returns the same policy with the statements of another one appended.
    func adding(_ other: PolicyDocument) -> PolicyDocument {
        PolicyDocument(PolicyParser.Document(version: version, id: id, statements: statements + other.statements), kind: kind, json: json)
    }

    /// The policy as it applies to the owner of its bucket at Alibaba Cloud; nil if nothing is left. A statement for everyone without
    /// a condition does not apply to the owner. (OSS User Guide, "Bucket policy", "How it works".)
    package var forBucketOwner: PolicyDocument? {
        let statements = zip(statements, indexes).compactMap { statement, index -> (Statement, Int)? in
            guard statement.conditions.isEmpty, case .named(let elements) = statement.principals else { return (statement, index) }
            let others = elements.filter { $0 != .everyone }
            return others.isEmpty ? nil : (statement.with(.named(others)), index)
        }
        guard !statements.isEmpty else { return nil }
        return PolicyDocument(
            PolicyParser.Document(version: version, id: id, statements: statements.map(\.0)), kind: kind, json: json,
            indexes: statements.map(\.1))
    }

    /// The canonical users in the policy.
    package var canonicalUsers: [String] { principals.compactMap { if case .canonicalUser(let id) = $0 { id } else { nil } } }

    private var principals: [PrincipalElement] {
        statements.flatMap { statement -> [PrincipalElement] in
            switch statement.principals {
            case .absent: []
            case .named(let elements), .allBut(let elements): elements
            }
        }
    }

    /// The condition keys that the policy reads, in conditions and as variables: lowercased, sorted, unique.
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
