package import Synchronization

/// Values that took work to make, by what they were made of; what nobody asked for lately goes first.
///
/// Memory is bounded by two generations: when the younger one is full it becomes the older, and what nobody asked for meanwhile goes with
/// the previous older one. So a look costs one lock and one hash, and as many hot keys as half the capacity always stay.
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

    /// - Parameter capacity: how many values are kept at most; at least 2.
    @inlinable
    package init(capacity: Int) { half = max(capacity / 2, 1) }

    /// The value of a key, if it is still kept.
    @inlinable
    package func value(for key: Key) -> Value? {
        generations.withLock { generations in
            if let value = generations.young[key] { return value }
            guard let value = generations.old.removeValue(forKey: key) else { return nil }
            insert(value, for: key, into: &generations)
            return value
        }
    }

    /// Keeps a value, in place of an earlier one of the key.
    @inlinable
    package func insert(_ value: Value, for key: Key) {
        generations.withLock { generations in
            generations.old.removeValue(forKey: key)
            insert(value, for: key, into: &generations)
        }
    }

    /// The value of a key that counts, or one that is made and kept.
    /// - Parameters:
    ///   - isGood: whether a kept value still counts.
    ///   - make: is called under the lock, so that all who ask get the same value; it must be quick.
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

    /// The values that are kept, in no order.
    package var values: [Value] { generations.withLock { Array($0.young.values) + Array($0.old.values) } }

    /// How many values are kept.
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
