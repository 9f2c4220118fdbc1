import WireFormats

/// One statement of a policy, ready to be compared with requests.
struct Statement: Sendable {
    enum Effect: String, Sendable {
        case allow = "Allow"
        case deny = "Deny"

        var opposite: Effect { self == .allow ? .deny : .allow }
    }

    /// An element that lists what it covers, or what it does not cover.
    enum Coverage: Sendable {
        case only([Pattern])
        case allBut([Pattern])

        var patterns: [Pattern] {
            switch self {
            case .only(let patterns), .allBut(let patterns): patterns
            }
        }

        /// - Parameter isAssumed: the result if it depends on a variable whose value is not known.
        func covers(_ text: String, letterCase: Pattern.LetterCase, in keys: ConditionKeys, ifUnknown isAssumed: Bool = false) -> Bool {
            switch self {
            case .only(let patterns):
                patterns.contains { $0.matches(text, letterCase: letterCase, in: keys, ifUnknown: isAssumed) }
            case .allBut(let patterns):
                !patterns.contains { $0.matches(text, letterCase: letterCase, in: keys, ifUnknown: !isAssumed) }
            }
        }
    }

    let sid: String?
    let effect: Effect
    let principals: PrincipalClause
    /// The actions; their patterns are lowercased.
    let actions: Coverage
    /// The resources; nil in a trust policy, whose resource is its role.
    let resources: Coverage?
    let conditions: [Condition]

    /// An element that can keep a statement from applying.
    enum Element: Hashable, Sendable {
        case principal
        case action
        case resource
        /// A condition, by its index in the statement.
        case condition(Int)
    }

    enum Outcome: Sendable {
        /// The statement applies and names the principal in these ways.
        case matched(Grants)
        /// The first element that does not match.
        case mismatch(Element)
    }

    /// Compares the elements in an order that rejects most statements early. It allocates only to resolve policy variables.
    ///
    /// If the outcome depends on a value that is not known, a statement that denies applies, and one that allows does not; if the request
    /// ``RequestContext/favorsUnknown``, it is the other way round.
    func outcome(for request: RequestContext) -> Outcome {
        guard actions.covers(request.action, letterCase: .isIgnored, in: request.keys) else { return .mismatch(.action) }
        guard let grants = principals.covers(request.principal) else { return .mismatch(.principal) }
        let side = request.favorsUnknown ? effect.opposite : effect
        if let resources, !resources.covers(request.resource, letterCase: .counts, in: request.keys, ifUnknown: side == .deny) {
            return .mismatch(.resource)
        }
        for (index, condition) in conditions.enumerated() where !condition.holds(in: request.keys, for: side) {
            return .mismatch(.condition(index))
        }
        return .matched(grants)
    }

    /// Returns the same statement with other principals.
    func with(_ principals: PrincipalClause) -> Statement {
        Statement(sid: sid, effect: effect, principals: principals, actions: actions, resources: resources, conditions: conditions)
    }
}
