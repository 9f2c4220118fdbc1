import Synchronization

/// A cache of values that are fetched when they are first needed. Callers that need the same value at the same time share one fetch (a
/// flight) and its outcome.
///
/// - A failure is not cached: the next caller starts another flight.
/// - A caller that is cancelled stops waiting. The flight continues for the others, and is cancelled when no caller is left.
/// - A value that is inserted replaces the flight of its key: waiting callers receive it, and the older result is dropped.
/// - Cached values are bounded as in ``BoundedCache``. Flights are bounded by the callers that wait for them.
package final class SingleFlightCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A cached value as a caller found it.
    package struct Entry: Sendable {
        /// The value.
        package let value: Value
        /// Distinguishes the value from earlier and later values of the key.
        fileprivate let number: UInt64
    }

    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let number: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter]
    }

    private struct State {
        /// The last number given to an entry, a flight or a waiter.
        private var lastNumber: UInt64 = 0
        var flights: [Key: Flight] = [:]

        mutating func nextNumber() -> UInt64 {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())
    private let kept: BoundedCache<Key, Entry>

    /// Creates an empty cache.
    /// - Parameter capacity: the maximum number of cached values; at least 2.
    package init(capacity: Int) { kept = BoundedCache(capacity: capacity) }

    /// Returns the cached value of a key, whether or not a flight is under way.
    package func entry(for key: Key) -> Entry? { kept.value(for: key) }

    /// Stores a value. It replaces an earlier value and a flight of the key.
    package func insert(_ value: Value, for key: Key) {
        let replaced = state.withLock { state in
            kept.insert(Entry(value: value, number: state.nextNumber()), for: key)
            return state.flights.removeValue(forKey: key)
        }
        guard let replaced else { return }
        replaced.task.cancel()
        for waiter in replaced.waiters.values { waiter.resume(returning: value) }
    }

    /// Fetches the value of a key, or waits for the flight that is under way.
    /// - Parameters:
    ///   - found: the entry that the caller found and cannot use, if any. If a newer value has been cached since then, that value is
    ///     returned and nothing is fetched.
    ///   - fetch: fetches the value. It runs in its own task, at most once at a time for each key.
    /// - Throws: the error that `fetch` throws, or `CancellationError` as soon as the caller is cancelled.
    package func fetch(
        _ key: Key, after found: Entry?, _ fetch: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let number = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                join(key, after: found, as: number, waiter, fetch)
            }
        } onCancel: {
            leave(key, number)
        }
    }

    /// Returns how many callers wait for the flight of a key.
    package func waiters(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiters.count ?? 0 } }

    private func join(
        _ key: Key, after found: Entry?, as number: UInt64, _ waiter: Waiter, _ fetch: @escaping @Sendable () async throws -> Value
    ) {
        let outcome: Result<Value, any Error>? = state.withLock { state in
            // A cancellation after this check finds the waiter, because it needs the lock.
            if Task.isCancelled { return .failure(CancellationError()) }
            if let entry = kept.value(for: key), entry.number != found?.number { return .success(entry.value) }
            if state.flights[key] == nil {
                let flight = state.nextNumber()
                let task = Task { await self.run(flight, of: key, fetch) }
                state.flights[key] = Flight(number: flight, task: task, waiters: [:])
            }
            state.flights[key]?.waiters[number] = waiter
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    private func leave(_ key: Key, _ number: UInt64) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Flight?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: number) else { return (nil, nil) }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key))
        }
        abandoned?.task.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    private func run(_ number: UInt64, of key: Key, _ fetch: @Sendable () async throws -> Value) async {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await fetch()) } catch { outcome = .failure(error) }
        let waiters = state.withLock { state -> [Waiter] in
            // The result of a flight that was replaced or abandoned is ignored.
            guard let flight = state.flights[key], flight.number == number else { return [] }
            state.flights[key] = nil
            if case .success(let value) = outcome { kept.insert(Entry(value: value, number: state.nextNumber()), for: key) }
            return Array(flight.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }
}
