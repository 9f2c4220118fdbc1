import WireFormats

extension PolicyDocument {
    /// Whether the policy is public by the rule of S3. An Allow statement is public unless it names its principals, or a condition
    /// compares one of certain keys with values without wildcards or variables.
    /// (S3 User Guide, "Blocking public access to your Amazon S3 storage", "The meaning of 'public'".)
    package var isPublic: Bool { statements.contains { $0.effect == .allow && $0.isPublic } }
}

extension Statement {
    fileprivate var isPublic: Bool {
        switch principals {
        case .absent: return false
        case .named(let elements): guard elements.contains(where: \.isAnybody) else { return false }
        case .allBut: break
        }
        return !conditions.contains(where: \.restrictsCaller)
    }
}

extension PrincipalElement {
    fileprivate var isAnybody: Bool {
        switch self {
        case .everyone, .everyService: true
        case .account, .user, .role, .session, .sessions, .uniqueID, .federated, .service, .canonicalUser: false
        }
    }
}

extension Condition {
    /// Keys with which a condition can restrict the caller to fixed values.
    private static let restrictingKeys: Set<String> = [
        "aws:principalaccount", "aws:principalarn", "aws:principalorgid", "aws:principalorgpaths", "aws:sourceaccount",
        "aws:sourcearn", "aws:sourceowner", "aws:sourceorgid", "aws:sourcevpc", "aws:sourcevpce", "aws:userid",
        "s3:dataaccesspointaccount", "s3:dataaccesspointarn", "s3:x-amz-server-side-encryption-aws-kms-key-id", "acs:accessid",
        "acs:principalarn", "acs:sourcevpc",
    ]

    private static let sourceAddresses: Set<String> = ["aws:sourceip", "acs:sourceip"]

    /// Whether the condition restricts the caller to principals, sources or networks with fixed values.
    fileprivate var restrictsCaller: Bool {
        // A condition that an absent key satisfies restricts no caller.
        guard !condition.isNegated, !condition.ifExists, condition.quantifier != .forAllValues else { return false }
        if case .address(let ranges) = test { return Self.sourceAddresses.contains(lookupKey) && ranges.allSatisfy(\.isNarrow) }
        guard Self.restrictingKeys.contains(lookupKey) else { return false }
        return switch test {
        case .exactText(let patterns), .foldedText(let patterns): patterns.allSatisfy { !$0.hasVariables }
        case .textPattern(let patterns): patterns.allSatisfy { isFixed($0) }
        case .arn(let patterns): patterns.allSatisfy { isFixed($0.whole) }
        default: false
        }
    }

    private func isFixed(_ pattern: Pattern) -> Bool {
        if pattern.hasVariables { return false }
        // The name of an access point may have wildcards, but not its account.
        if lookupKey == "s3:dataaccesspointarn", let fields = ARNFields(pattern.source) {
            return !fields.fields.prefix(5).contains { $0.utf8.contains { "*?".utf8.contains($0) } }
        }
        return !pattern.atoms.contains { $0 == .run || $0 == .fieldRun || $0 == .one }
    }
}

extension AddressRange {
    /// Whether the range is narrow enough. Wider ranges count as the whole world; all private ranges are narrow enough.
    fileprivate var isNarrow: Bool { prefixLength >= (network.count == 4 ? 8 : 32) }
}
