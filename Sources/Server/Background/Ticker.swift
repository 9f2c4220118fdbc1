import Logging

/// Does the regular work of every open sandbox, in one task for the process.
struct Ticker: Sendable {
    /// Work that is repeated.
    struct Work: Sendable {
        var interval: Duration
        var perform: @Sendable () async -> Void
    }

    let works: [Work]

    /// Works until the task is cancelled.
    func run() async {
        let clock = ContinuousClock()
        var due = works.map { clock.now + $0.interval }
        while !Task.isCancelled, let next = due.indices.min(by: { due[$0] < due[$1] }) {
            do { try await clock.sleep(until: due[next]) } catch { return }
            await works[next].perform()
            due[next] = clock.now + works[next].interval
        }
    }
}
