import WireFormats

/// Lets one caller at a time run, in the order of arrival.
///
/// An actor, because the guarded code suspends.
package actor Turnstile {
    private typealias Waiter = (number: UInt64, continuation: CheckedContinuation<Void, any Error>)

    private var isTaken = false
    private var lastNumber: UInt64 = 0
    private var waiting: [Waiter] = []

    package init() {}

    /// The number of callers that wait.
    var waitingCount: Int { waiting.count }

    /// Runs `body` after all earlier callers have finished.
    /// - Throws: the error of `body`, or `CancellationError` if the task is canceled while it waits.
    package nonisolated func pass<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await enter()
        let result: Result<T, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await leave()
        return try result.get()
    }

    private func enter() async throws {
        guard isTaken else {
            isTaken = true
            return
        }
        lastNumber += 1
        let number = lastNumber
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // A cancellation after this check calls `cancelWait` later, because the actor is busy until then.
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting.append((number, continuation))
            }
        } onCancel: {
            Task { await self.cancelWait(number) }
        }
    }

    private func cancelWait(_ number: UInt64) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(throwing: CancellationError())
    }

    private func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }
}
