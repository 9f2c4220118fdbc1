import Synchronization
import Testing

@testable import Cloud

@Suite("A turnstile")
struct TurnstileTests {
    /// Opens once, for everyone who waits.
    private actor Gate {
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func wait() async {
            guard !isOpen else { return }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    @Test("lets callers through one at a time")
    func order() async throws {
        let turnstile = Turnstile()
        let inside = Mutex(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await turnstile.pass {
                        let count = inside.withLock { count in
                            count += 1
                            return count
                        }
                        #expect(count == 1)
                        await Task.yield()
                        inside.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("lets a caller that is cancelled go, and the next one through")
    func cancellation() async throws {
        let turnstile = Turnstile()
        let (entered, release) = (Gate(), Gate())
        let first = Task {
            try await turnstile.pass {
                await entered.open()
                await release.wait()
            }
        }
        await entered.wait()
        let second = Task { try await turnstile.pass { Issue.record("it was cancelled before its turn") } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await release.open()
        try await first.value
        #expect(try await turnstile.pass { 7 } == 7)
    }
}
