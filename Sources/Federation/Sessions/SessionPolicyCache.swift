import Caching
package import Policy
import WireFormats

/// Inline session policies by their text: clients pass the same few again and again, with every session that they take.
package final class SessionPolicyCache: Sendable {
    /// A session policy, ready for use.
    package struct Entry: Sendable {
        /// The policy.
        package let document: PolicyDocument
        /// The document without spaces, as it goes into the session token.
        package let compact: String
    }

    private let entries: BoundedCache<Key, Entry>

    private struct Key: Hashable {
        let text: String
        let dialect: PolicyDialect
    }

    /// - Parameter capacity: texts that are kept. A text has 2,048 characters at most.
    package init(capacity: Int = 256) { entries = BoundedCache(capacity: capacity) }

    /// What a text says; a text that is no policy is not remembered.
    package func entry(for text: String, _ dialect: PolicyDialect = .aws) throws(PolicySyntaxError) -> Entry {
        let key = Key(text: text, dialect: dialect)
        if let known = entries.value(for: key) { return known }
        let document = try PolicyDocument(parsing: text, kind: .identity, dialect: dialect)
        let entry = Entry(document: document, compact: document.json.serialized())
        entries.insert(entry, for: key)
        return entry
    }

    var count: Int { entries.count }
}
