package import Synchronization

/// A cache of bounded size for values that are expensive to make. It drops the keys that were not used recently.
///
/// It keeps two generations. When the younger one is full it becomes the older one, and entries of the previous older generation that
/// were not used in the meantime are dropped. A lookup costs one lock and one hash. As many hot keys as half the capacity always stay.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Generations: Sendable {
        @usableFromInline
        var young: [Key: Value] = [:]
        @usableFromInline
        var old: [Key: Value] = [:]

        @inlinable
        init() {}
    }

    @usableFromInline
    let half: Int
    @usableFromInline
    let generations = Mutex(Generations())

    /// Creates an empty cache.
    /// - Parameter capacity: the maximum number of values; at least 2.
    @inlinable
    package init(capacity: Int) { half = max(capacity / 2, 1) }

    /// Returns the cached value of a key, or `nil`.
    @inlinable
    package func value(for key: Key) -> Value? {
        generations.withLock { generations in
            if let value = generations.young[key] { return value }
            guard let value = generations.old.removeValue(forKey: key) else { return nil }
            insert(value, for: key, into: &generations)
            return value
        }
    }

    /// Stores a value and replaces an earlier value of the key.
    @inlinable
    package func insert(_ value: Value, for key: Key) {
        generations.withLock { generations in
            generations.old.removeValue(forKey: key)
            insert(value, for: key, into: &generations)
        }
    }

    /// Returns the cached value of a key if it is still good. Otherwise makes a value, stores it and returns it.
    /// - Parameters:
    ///   - isGood: whether a cached value may still be used.
    ///   - make: makes the value. It is called under the lock, so that all callers get the same value; it must be quick.
    @inlinable
    package func value(for key: Key, where isGood: (Value) -> Bool = { _ in true }, orMake make: () -> Value) -> Value {
        generations.withLock { generations in
            if let value = generations.young[key], isGood(value) { return value }
            if let value = generations.old.removeValue(forKey: key), isGood(value) {
                insert(value, for: key, into: &generations)
                return value
            }
            let value = make()
            insert(value, for: key, into: &generations)
            return value
        }
    }

    /// The cached values, in no particular order.
    package var values: [Value] { generations.withLock { Array($0.young.values) + Array($0.old.values) } }

    /// The number of cached values.
    package var count: Int { generations.withLock { $0.young.count + $0.old.count } }

    @inlinable
    func insert(_ value: Value, for key: Key, into generations: inout Generations) {
        if generations.young.count >= half, generations.young[key] == nil {
            generations.old = generations.young
            generations.young.removeAll(keepingCapacity: true)
        }
        generations.young[key] = value
    }
}
