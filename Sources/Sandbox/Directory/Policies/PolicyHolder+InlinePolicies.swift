import WireFormats

/// The reason why the inline policies of a user, group or role are not changed.
package enum InlinePolicyRefusal: Error, Equatable {
    /// The holder has no inline policy of this name.
    case noSuchPolicy(String)
    /// The inline policies together have more characters than they can have.
    case limitExceeded(Int)
}

extension PolicyHolder {
    /// The inline policy of a name, without regard to case.
    package func inlinePolicy(_ name: String) -> InlinePolicy? { policies.first { $0.has(name: name) } }

    /// Adds an inline policy, or replaces the one of its name. A policy that is replaced keeps the spelling of its name (observed of AWS).
    /// - Parameter limit: the number of characters that all inline policies can have, white space not counted.
    /// - Throws: `limitExceeded`.
    package mutating func putInlinePolicy(_ policy: InlinePolicy, limit: Int) throws(InlinePolicyRefusal) {
        if let index = policies.firstIndex(where: { $0.has(name: policy.name) }) {
            policies[index] = InlinePolicy(name: policies[index].name, document: policy.document, text: policy.text)
        } else {
            policies.append(policy)
        }
        guard policies.map(\.shownText.countedSize).reduce(0, +) <= limit else { throw .limitExceeded(limit) }
    }

    /// Deletes an inline policy.
    /// - Throws: `noSuchPolicy`.
    package mutating func deleteInlinePolicy(_ name: String) throws(InlinePolicyRefusal) {
        guard let index = policies.firstIndex(where: { $0.has(name: name) }) else { throw .noSuchPolicy(name) }
        policies.remove(at: index)
    }
}

extension InlinePolicy {
    fileprivate func has(name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

extension String {
    /// The number of characters of a policy's text that count towards quotas: all but white space.
    /// (IAM User Guide, "IAM and AWS STS character limits".)
    package var countedSize: Int { unicodeScalars.count { !$0.properties.isWhitespace } }
}
