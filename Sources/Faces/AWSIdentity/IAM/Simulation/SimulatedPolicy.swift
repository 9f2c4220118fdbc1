import Cloud
import Directory
import HTTPTypes
import Policy
import WireFormats

/// A policy in a simulation, with its text, so that results can contain the positions of statements.
struct SimulatedPolicy: Sendable {
    /// The types of policies in results (observed of AWS; the service model has other names).
    enum Kind: String, Sendable {
        case identity = "IAM Policy"
        case boundary = "Permissions Boundary Policy"
        case resource = "Resource Policy"
    }

    /// The identifier in results: `PolicyInputList.1`, the name of a managed policy, or `user_alice_inline`.
    var sourceID: String
    var kind: Kind
    var text: String
    var document: PolicyDocument

    /// Parses a policy that the caller passed. A resource policy may be the trust policy of a role.
    /// - Throws: `InvalidInput` if it is not a policy.
    init(_ text: String, sourceID: String, kind: Kind, fault: String) throws(ServiceError) {
        do {
            document = try PolicyDocument(parsing: text, kind: kind == .resource ? .resource : .identity)
        } catch {
            guard kind == .resource, let trust = try? PolicyDocument(parsing: text, kind: .trust) else { throw .invalidInput(fault) }
            document = trust
        }
        self.sourceID = sourceID
        self.kind = kind
        self.text = text
    }

    /// Creates a policy that an identity of the account has.
    init(_ policy: AttachedPolicy, kind: Kind, in directory: Directory, account: String) {
        sourceID =
            switch policy.origin {
            case .managed(let arn): arn.split(separator: "/").last.map(String.init) ?? arn
            case .inline(let holder, let of, let name): "\(holder.rawValue)_\(of)_\(name)"
            case .other: policy.label
            }
        self.kind = kind
        text = directory.text(of: policy.origin, in: account) ?? policy.document.json.serialized()
        document = policy.document
    }
}

extension QueryParameters {
    /// Reads `<name>.member.<n>`: texts of policies.
    mutating func policies(_ name: String) -> [String] {
        list(name, most: Int.max, length: 1...131_072, pattern: .simulatedPolicy)
    }
}

extension QueryParameters.Pattern {
    /// The characters of policies that the simulator accepts. (From public records of the real service.)
    fileprivate static let simulatedPolicy = Self(
        text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u00A1-\\u00FF]+", accepts: roleDescription.accepts)
}

extension Directory {
    /// Returns the text of a policy as it was saved.
    fileprivate func text(of origin: PolicyOrigin, in account: String) -> String? {
        switch origin {
        case .managed(let arn):
            guard let policy = policy(arn: arn) else { return nil }
            return policy.versions.first { $0.number == policy.defaultVersion }?.shownText
        case .inline(let kind, let holder, let name):
            let policies =
                switch kind {
                case .user: user(holder, in: account)?.user.policies
                case .group: group(holder, in: account)?.policies
                case .role: role(holder, in: account)?.role.policies
                }
            return policies?.first { $0.name == name }?.shownText
        case .other: return nil
        }
    }

    /// The policies of a user, group or role, for a simulation or a report.
    struct Identity {
        var arn: String
        var policies: [AttachedPolicy]
        var boundary: AttachedPolicy?
    }

    /// Returns the user, group or role with an ARN. Only its name counts; the path in the ARN is ignored (observed of AWS).
    func identity(of source: PolicySource) throws(ServiceError) -> Identity {
        let found: Identity? =
            switch source.holder {
            case .user:
                user(source.name, in: source.account).map {
                    Identity(arn: $0.arn, policies: $0.policies.identity, boundary: $0.policies.boundary)
                }
            case .role:
                role(source.name, in: source.account).map {
                    Identity(arn: $0.arn, policies: $0.policies.identity, boundary: $0.policies.boundary)
                }
            case .group: group(source.name, in: source.account).map { Identity(arn: $0.arn, policies: policies(of: $0)) }
            }
        guard var found else { throw .noSuchEntity("Unable to retrieve specified IAM entity.") }
        // A managed policy that applies in several ways counts once.
        var seen: Set<String> = []
        found.policies.removeAll { policy in policy.origin.arn.map { !seen.insert($0).inserted } ?? false }
        return found
    }
}

/// The user, group or role that an ARN names.
struct PolicySource: Equatable, Sendable {
    var arn: String
    var account: String
    var holder: PolicyHolderKind
    var name: String

    /// Parses an ARN; nil if it does not name a user, group or role.
    init?(arn: String) {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn", fields[2] == "iam", fields[3].isEmpty, fields[4].utf8.count == 12,
            let slash = fields[5].firstIndex(of: "/"), let holder = PolicyHolderKind(rawValue: String(fields[5][..<slash])),
            let name = fields[5].split(separator: "/", omittingEmptySubsequences: false).last, !name.isEmpty
        else { return nil }
        self.arn = arn
        account = String(fields[4])
        self.holder = holder
        self.name = String(name)
    }

    /// Parses `PolicySourceArn`, which must belong to the caller's account.
    init(parameter arn: String, account: String) throws(ServiceError) {
        guard let source = PolicySource(arn: arn) else { throw .invalidInput("Invalid ARN provided in the request: \(arn)") }
        guard source.account == account else {
            throw .invalidInput(
                "Invalid Policy Source Arn: caller's account \(account) does not have access to policies in account \(source.account).")
        }
        self = source
    }
}
