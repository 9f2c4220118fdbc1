extension PolicyDocument {
    /// Whether the policy lets in somebody whom it does not pin down: S3 takes a policy for public unless each Allow statement
    /// names its principals, or a condition holds one of some keys to values without wildcard or variable.
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
        return !conditions.contains(where: \.pinsDownCaller)
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
    /// Keys by which a condition can hold a caller to fixed values.
    private static let pinningKeys: Set<String> = [
        "aws:principalaccount", "aws:principalarn", "aws:principalorgid", "aws:principalorgpaths", "aws:sourceaccount",
        "aws:sourcearn", "aws:sourceowner", "aws:sourceorgid", "aws:sourcevpc", "aws:sourcevpce", "aws:userid",
        "s3:dataaccesspointaccount", "s3:dataaccesspointarn", "s3:x-amz-server-side-encryption-aws-kms-key-id", "acs:accessid",
        "acs:principalarn", "acs:sourcevpc",
    ]

    private static let sourceAddresses: Set<String> = ["aws:sourceip", "acs:sourceip"]

    /// Whether only callers, places or networks that the policy spells out fulfil the condition.
    fileprivate var pinsDownCaller: Bool {
        // A condition that an absent key fulfils pins nobody down.
        guard !condition.isNegated, !condition.ifExists, condition.quantifier != .forAllValues else { return false }
        if case .address(let ranges) = test { return Self.sourceAddresses.contains(lookupKey) && ranges.allSatisfy(\.isNarrow) }
        guard Self.pinningKeys.contains(lookupKey) else { return false }
        return switch test {
        case .exactText(let patterns), .foldedText(let patterns): patterns.allSatisfy { !$0.hasVariables }
        case .textPattern(let patterns): patterns.allSatisfy { isFixed($0) }
        case .arn(let patterns): patterns.allSatisfy { isFixed($0.whole) }
        default: false
        }
    }

    private func isFixed(_ pattern: Pattern) -> Bool {
        if pattern.hasVariables { return false }
        // The name of an access point may be left open, its account not.
        if lookupKey == "s3:dataaccesspointarn", let fields = ARNFields(pattern.source) {
            return !fields.fields.prefix(5).contains { $0.utf8.contains { "*?".utf8.contains($0) } }
        }
        return !pattern.atoms.contains { $0 == .run || $0 == .fieldRun || $0 == .one }
    }
}

extension AddressRange {
    /// Wider networks than these count as the whole world, private ones apart.
    fileprivate var isNarrow: Bool { prefixLength >= (network.count == 4 ? 8 : 32) }
}
