import Testing

@testable import Cloud

@Suite("A turnstile")
struct TurnstileTests {
    /// A gate that opens once, for everyone waiting.
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

    /// Counts the callers inside.
    private actor Visitors {
        private(set) var count = 0
        private(set) var most = 0

        func enter() {
            count += 1
            most = max(most, count)
        }

        func leave() { count -= 1 }
    }

    @Test("admits callers one at a time")
    func order() async throws {
        let turnstile = Turnstile()
        let visitors = Visitors()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await turnstile.pass {
                        await visitors.enter()
                        await Task.yield()
                        await visitors.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await visitors.most == 1)
    }

    @Test("resumes a cancelled caller, and admits the next one")
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
