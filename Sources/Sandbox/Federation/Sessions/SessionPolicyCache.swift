import Caching
package import Policy
import WireFormats

/// A cache of compiled inline session policies by their text; clients pass the same few with every new session.
package final class SessionPolicyCache: Sendable {
    /// A compiled session policy.
    package struct Entry: Sendable {
        /// The policy.
        package let document: PolicyDocument
        /// The document without white space, as stored in the session token.
        package let compact: String
        /// The packed size of the document in bytes.
        package let packedSize: Int
    }

    private let entries: BoundedCache<Key, Entry>

    private struct Key: Hashable {
        let text: TextKey
        let dialect: PolicyDialect
    }

    /// Creates a cache.
    /// - Parameter capacity: the maximum number of cached policies. A policy has at most 2,048 characters.
    package init(capacity: Int = 256) { entries = BoundedCache(capacity: capacity) }

    /// Returns the compiled policy of a text. Invalid policies are not cached.
    package func entry(for text: String, _ dialect: PolicyDialect = .aws) throws(PolicySyntaxError) -> Entry {
        let key = Key(text: TextKey(text), dialect: dialect)
        if let known = entries.value(for: key) { return known }
        let document = try PolicyDocument(parsing: text, kind: .identity, dialect: dialect)
        if dialect == .aws { try document.checkPartitions() }
        let entry = Entry(document: document, compact: document.json.serialized(), packedSize: PackedSize.of(policy: document.json))
        entries.insert(entry, for: key)
        return entry
    }

    var count: Int { entries.count }
}
