private import HashTreeCollections
private import Synchronization
import WireFormats

/// Records by key, of which copies share all but the branch of the tree that a change replaces: each write of the directory changes a copy,
/// and an account can have thousands of records.
package struct Table<Key: Hashable & Sendable, Value: Sendable>: Sequence, ExpressibleByDictionaryLiteral, Sendable {
    private var tree: TreeDictionary<Key, Value>
    /// The order of the keys, which copies share until a key is added or removed.
    private var order = KeyOrder<Key>()

    /// Creates a table of records by key.
    package init(dictionaryLiteral elements: (Key, Value)...) { tree = TreeDictionary(uniqueKeysWithValues: elements) }

    private init(_ tree: TreeDictionary<Key, Value>, _ order: KeyOrder<Key>) {
        self.tree = tree
        self.order = order
    }

    /// The record with a key; `nil` if there is none, or to remove it.
    package subscript(key: Key) -> Value? {
        get { tree[key] }
        set {
            let count = tree.count
            tree[key] = newValue
            if tree.count != count { order = KeyOrder() }
        }
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
    package func mapValues(_ transform: (Value) -> Value) -> Self { Self(tree.mapValues(transform), order) }
}

extension Table where Key: Comparable {
    /// Returns the records whose keys are greater than `key`, in ascending order of the keys. The first call after a key was added or
    /// removed sorts all keys; every other one finds the first record by a binary search, so that pages of long lists cost the same as of short ones.
    package func ordered(after key: Key) -> some Sequence<(key: Key, value: Value)> {
        let keys = order.keys { tree.keys.sorted() }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] > key { high = middle } else { low = middle + 1 }
        }
        return keys[low...].lazy.compactMap { [tree] key in tree[key].map { (key, $0) } }
    }
}

extension Table where Key == Directory.PrincipalName {
    /// Returns the records of an account whose names follow `name`, ordered by name without regard to case.
    package func ordered(in account: String, after name: String) -> some Sequence<(key: Key, value: Value)> {
        ordered(after: Key(account: account, name: name)).lazy.prefix { $0.key.account == account }
    }
}

/// The ascending keys of a table, found when they are first needed.
private final class KeyOrder<Key: Sendable>: Sendable {
    private let found = Mutex<[Key]?>(nil)

    /// Returns the keys.
    /// - Parameter sort: returns them in ascending order.
    func keys(_ sort: () -> [Key]) -> [Key] {
        found.withLock { found in
            if let found { return found }
            let sorted = sort()
            found = sorted
            return sorted
        }
    }
}
