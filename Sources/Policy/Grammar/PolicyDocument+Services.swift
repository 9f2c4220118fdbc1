extension PolicyDocument {
    /// Whether a statement allows an action of a service, whatever the resource and the conditions.
    /// - Parameter service: the prefix of the service's actions, such as `s3`.
    package func allowsSomething(in service: String) -> Bool {
        statements.contains { statement in
            guard statement.effect == .allow else { return false }
            guard case .only(let patterns) = statement.actions else { return true }
            return patterns.contains { pattern in
                let prefix = pattern.source.prefix { $0 != ":" }
                return prefix == "*" || ExactText.equalIgnoringCase(String(prefix), service)
            }
        }
    }
}
