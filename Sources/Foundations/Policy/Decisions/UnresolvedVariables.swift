import WireFormats

extension PolicySet {
    /// Returns the condition keys of policy variables that have no value in a request, if a statement would allow the request with one.
    /// - Returns: each key once, as a policy spells it; empty if no variable is missing.
    package func unresolvedVariables(for request: RequestContext) -> [String] {
        let policies = identity + (boundary.map { [$0] } ?? []) + (session ?? []) + (resource.map { [$0] } ?? [])
        var keys: [String] = []
        for statement in policies.flatMap(\.document.statements) {
            for key in statement.unresolvedVariables(for: request) where !keys.contains(key) { keys.append(key) }
        }
        guard !keys.isEmpty else { return [] }
        let spellings = conditionKeys
        return keys.map { key in spellings.last { $0.lowercased() == key } ?? key }
    }
}

extension Statement {
    /// Returns the lowercased keys of variables that keep this statement from allowing a request.
    fileprivate func unresolvedVariables(for request: RequestContext) -> [String] {
        guard effect == .allow, case .mismatch(let element) = outcome(for: request) else { return [] }
        switch element {
        case .action, .principal: return []
        case .resource:
            guard case .only(let patterns)? = resources else { return [] }
            return patterns.filter { $0.fitsWithSomeValues(request.resource, in: request.keys) }
                .flatMap { $0.unresolvedKeys(in: request.keys) }
        case .condition(let index): return conditions[index].test.patterns.flatMap { $0.unresolvedKeys(in: request.keys) }
        }
    }
}

extension Pattern {
    /// Returns the lowercased keys of variables that have no value in a request.
    func unresolvedKeys(in keys: ConditionKeys) -> [String] {
        atoms.compactMap { atom in
            if case .variable(let variable) = atom, variable.value(in: keys) == nil { variable.key } else { nil }
        }
    }
}
