import Synchronization
import Testing

@testable import Caching

@Suite("A single-flight cache")
struct SingleFlightCacheTests {
    private struct Failure: Error, Equatable {}

    private typealias Cache = SingleFlightCache<String, Int>

    /// Fetches that end when the test ends them.
    private final class Source: Sendable {
        private let state = Mutex<(count: Int, running: [Int: CheckedContinuation<Int, any Error>])>((0, [:]))

        var count: Int { state.withLock { $0.count } }

        /// The fetches are numbered from 1.
        func fetch() async throws -> Int {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    state.count += 1
                    state.running[state.count] = continuation
                }
            }
        }

        /// Ends a fetch as soon as it runs.
        func end(_ outcome: Result<Int, any Error>, of number: Int = 1) async {
            while true {
                if let running = state.withLock({ $0.running.removeValue(forKey: number) }) { return running.resume(with: outcome) }
                await Task.yield()
            }
        }
    }

    /// Starts a caller and returns as soon as it waits.
    private func caller(of cache: Cache, _ source: Source, after found: Cache.Entry? = nil) async -> Task<Int, any Error> {
        let before = cache.waiters(for: "a")
        let caller = Task { try await cache.fetch("a", after: found) { try await source.fetch() } }
        while cache.waiters(for: "a") == before { await Task.yield() }
        return caller
    }

    @Test("fetches once for concurrent callers, and keeps the value")
    func sharing() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        var callers: [Task<Int, any Error>] = []
        for _ in 0..<10 { callers.append(await caller(of: cache, source)) }
        await source.end(.success(7))
        for caller in callers { #expect(try await caller.value == 7) }
        #expect(source.count == 1)
        #expect(cache.entry(for: "a")?.value == 7)
        #expect(cache.entry(for: "b") == nil)
    }

    @Test("fetches the values of different keys concurrently")
    func keys() async throws {
        let cache = Cache(capacity: 4)
        let value = try await cache.fetch("a", after: nil) {
            try await cache.fetch("b", after: nil) { 1 } + 1
        }
        #expect(value == 2)
        #expect(cache.entry(for: "b")?.value == 1)
    }

    @Test("throws an error to all waiting callers, and does not keep it")
    func failure() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        let callers = [await caller(of: cache, source), await caller(of: cache, source)]
        await source.end(.failure(Failure()))
        for caller in callers { await #expect(throws: Failure()) { try await caller.value } }
        #expect(source.count == 1)
        #expect(cache.entry(for: "a") == nil)
        #expect(try await cache.fetch("a", after: nil) { 2 } == 2)
    }

    @Test("keeps the earlier value if a fetch fails")
    func failureAfterSuccess() async throws {
        let cache = Cache(capacity: 4)
        cache.insert(1, for: "a")
        let found = try #require(cache.entry(for: "a"))
        await #expect(throws: Failure()) { try await cache.fetch("a", after: found) { throw Failure() } }
        #expect(cache.entry(for: "a")?.value == 1)
    }

    @Test("does not fetch if its value is newer than the caller's")
    func newer() async throws {
        let cache = Cache(capacity: 4)
        cache.insert(1, for: "a")
        let found = cache.entry(for: "a")
        cache.insert(2, for: "a")
        #expect(try await cache.fetch("a", after: found) { throw Failure() } == 2)
        #expect(try await cache.fetch("a", after: nil) { throw Failure() } == 2)
        #expect(try await cache.fetch("a", after: cache.entry(for: "a")) { 3 } == 3)
    }

    @Test("keeps a value that is inserted during a fetch, and returns it to waiting callers")
    func insertion() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        // The fetch holds the signal, and is finished when the signal is released.
        let (flightEnds, waiting) = {
            let signal = Signal()
            let waiting = Task {
                try await cache.fetch("a", after: nil) {
                    _ = signal
                    return try await source.fetch()
                }
            }
            return (signal.end, waiting)
        }()
        while cache.waiters(for: "a") == 0 { await Task.yield() }
        cache.insert(2, for: "a")
        #expect(try await waiting.value == 2)
        await source.end(.success(1))
        for await _ in flightEnds {}
        #expect(cache.entry(for: "a")?.value == 2)
    }

    /// Ends its stream when it is released.
    private final class Signal: Sendable {
        let end: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (end, continuation) = AsyncStream.makeStream() }

        deinit { continuation.finish() }
    }

    @Test("resumes a cancelled caller, while the fetch continues for the others")
    func cancellation() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        let first = await caller(of: cache, source)
        let second = await caller(of: cache, source)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(cache.waiters(for: "a") == 1)
        await source.end(.success(7))
        #expect(try await second.value == 7)
        #expect(source.count == 1)
    }

    @Test("cancels a fetch without waiting callers, and starts another for the next caller")
    func abandonment() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        let (cancelled, announce) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await cache.fetch("a", after: nil) {
                try await withTaskCancellationHandler {
                    try await source.fetch()
                } onCancel: {
                    announce.finish()
                }
            }
        }
        while source.count == 0 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        for await _ in cancelled {}
        let second = await caller(of: cache, source)
        await source.end(.success(2), of: 2)
        #expect(try await second.value == 2)
        await source.end(.success(1), of: 1)
        #expect(cache.entry(for: "a")?.value == 2)
    }

    @Test("does not fetch for a cancelled caller")
    func cancelledCaller() async throws {
        let (cache, source) = (Cache(capacity: 4), Source())
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await cache.fetch("a", after: nil) { try await source.fetch() }
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(source.count == 0)
        #expect(cache.waiters(for: "a") == 0)
    }

    @Test("keeps at most its capacity; waiting callers get their value nevertheless")
    func capacity() async throws {
        let cache = SingleFlightCache<Int, Int>(capacity: 4)
        for number in 0..<100 { #expect(try await cache.fetch(number, after: nil) { number } == number) }
        #expect((0..<100).count { cache.entry(for: $0) != nil } <= 4)
        let outer = try await cache.fetch(-1, after: nil) {
            for number in 0..<100 { cache.insert(number, for: number) }
            return -1
        }
        #expect(outer == -1)
        #expect(cache.entry(for: -1)?.value == -1)
    }
}
