private import HashTreeCollections
import WireFormats

/// Records by key, of which copies share all but the branch of the tree that a change replaces: each write of the directory changes a copy,
/// and an account can have thousands of records.
package struct Table<Key: Hashable & Sendable, Value: Sendable>: Sequence, ExpressibleByDictionaryLiteral, Sendable {
    private var tree: TreeDictionary<Key, Value>

    /// Creates a table of records by key.
    package init(dictionaryLiteral elements: (Key, Value)...) { tree = TreeDictionary(uniqueKeysWithValues: elements) }

    private init(_ tree: TreeDictionary<Key, Value>) { self.tree = tree }

    /// The record with a key; `nil` if there is none, or to remove it.
    package subscript(key: Key) -> Value? {
        get { tree[key] }
        set { tree[key] = newValue }
    }

    /// The number of records.
    package var count: Int { tree.count }
    /// Whether there is no record.
    package var isEmpty: Bool { tree.isEmpty }
    /// The keys, in no particular order.
    package var keys: some Collection<Key> { tree.keys }
    /// The records, in no particular order.
    package var values: some Collection<Value> { tree.values }

    /// Returns an iterator over keys and records, in no particular order.
    package func makeIterator() -> some IteratorProtocol<(key: Key, value: Value)> { tree.makeIterator() }

    /// Returns the table with each record replaced.
    package func mapValues(_ transform: (Value) -> Value) -> Self { Self(tree.mapValues(transform)) }
}
