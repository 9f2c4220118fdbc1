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

    @Test("admits callers one at a time")
    func order() async throws {
        let turnstile = Turnstile()
        let (entered, release) = (Gate(), Gate())
        let first = Task {
            try await turnstile.pass {
                await entered.open()
                await release.wait()
            }
        }
        await entered.wait()
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await turnstile.pass { await turnstile.waitingCount } } }
            while await turnstile.waitingCount < 20 { await Task.yield() }
            await release.open()
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        try await first.value
        // While one caller was inside, all later ones waited.
        #expect(counts == Set(0..<20))
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
