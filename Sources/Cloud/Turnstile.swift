/// Lets one caller through at a time; the others wait in line.
///
/// An actor, because what it guards suspends.
package actor Turnstile {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Runs `body` once everybody who came earlier is through.
    package nonisolated func pass<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        await enter()
        let result: Result<T, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        await leave()
        return try result.get()
    }

    private func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
