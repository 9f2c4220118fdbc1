import Synchronization
import Testing

@testable import VirgaServer

@Suite("The regular work of a process")
struct TickerTests {
    @Test("is repeated, each in its own interval, until the task is cancelled")
    func repeats() async {
        let counts = Mutex([0, 0, 0])
        let (stream, done) = AsyncStream<Void>.makeStream()
        let ticker = Ticker(works: [
            .init(interval: .milliseconds(1)) {
                let isEnough = counts.withLock { counts in
                    counts[0] += 1
                    return counts[0] == 20
                }
                if isEnough { done.yield() }
            },
            .init(interval: .milliseconds(4)) { counts.withLock { $0[1] += 1 } },
            .init(interval: .seconds(3600)) { counts.withLock { $0[2] += 1 } },
        ])
        let task = Task { await ticker.run() }
        for await _ in stream { break }
        task.cancel()
        await task.value
        let found = counts.withLock { $0 }
        #expect(found[0] >= 20)
        #expect(found[1] >= 1)
        #expect(found[1] <= found[0])
        #expect(found[2] == 0)
    }

    @Test("ends at once where there is none, or where the task is cancelled already")
    func ends() async {
        await Ticker(works: []).run()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await Ticker(works: [.init(interval: .seconds(3600)) { Issue.record("it worked") }]).run()
        }
        await task.value
    }
}
