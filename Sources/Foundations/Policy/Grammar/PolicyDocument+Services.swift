import WireFormats

extension PolicyDocument {
    /// Returns whether a statement allows any action of a service, whatever the resource and the conditions.
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

    /// The services whose actions the Allow statements name, in lowercase. A pattern that matches several services is not included.
    package var namedServices: Set<String> {
        var services: Set<String> = []
        for statement in statements where statement.effect == .allow {
            guard case .only(let patterns) = statement.actions else { continue }
            for pattern in patterns {
                let prefix = pattern.source.prefix { $0 != ":" }.lowercased()
                if !prefix.isEmpty, prefix.utf8.allSatisfy({ !"*?$".utf8.contains($0) }) { services.insert(prefix) }
            }
        }
        return services
    }
}
