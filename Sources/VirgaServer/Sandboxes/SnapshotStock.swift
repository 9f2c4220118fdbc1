import Cloud
import ObjectStore
import Synchronization

/// Copies of snapshots that are already open, so that a restore does not wait for the copying.
///
/// The stock has two copies of each snapshot that is restored repeatedly, for example before every test. A used copy is replaced after the
/// response.
final class SnapshotStock: Sendable {
    /// A copy of a snapshot in a folder of its own.
    struct Copy: Sendable {
        var cloud: Cloud
        /// The number of its folder.
        var world: Int
    }

    private struct State {
        var copies: [String: [Copy]] = [:]
        /// The number of copies that are being made.
        var pending: [String: Int] = [:]
        var uses: [String: Int] = [:]
        var isClosed = false
    }

    private static let size = 2

    private let state = Mutex(State())

    /// Removes and returns a copy, or makes one if there is none.
    /// - Parameter make: makes a copy.
    func take(_ snapshot: String, _ make: @escaping @Sendable () async throws -> Copy) async throws -> Copy {
        let (copy, missing) = state.withLock { state -> (Copy?, Int) in
            state.uses[snapshot, default: 0] += 1
            let copy = state.copies[snapshot]?.popLast()
            guard state.uses[snapshot, default: 0] > 1, !state.isClosed else { return (copy, 0) }
            let missing = Self.size - (state.copies[snapshot]?.count ?? 0) - state.pending[snapshot, default: 0]
            state.pending[snapshot, default: 0] += max(missing, 0)
            return (copy, missing)
        }
        for _ in 0..<max(missing, 0) {
            Task {
                let made = try? await make()
                let isWanted = state.withLock { state in
                    guard state.pending[snapshot] != nil, !state.isClosed else { return false }
                    state.pending[snapshot, default: 1] -= 1
                    if let made { state.copies[snapshot, default: []].append(made) }
                    return true
                }
                if !isWanted, let made { await Self.discard(made) }
            }
        }
        if let copy { return copy }
        return try await make()
    }

    /// Removes the copies of a snapshot that was removed or replaced.
    func clear(_ snapshot: String) async {
        let copies = state.withLock { state in
            (state.pending[snapshot], state.uses[snapshot]) = (nil, nil)
            return state.copies.removeValue(forKey: snapshot) ?? []
        }
        for copy in copies { await Self.discard(copy) }
    }

    func close() async {
        let copies = state.withLock { state in
            state.isClosed = true
            defer { state.copies = [:] }
            return state.copies.values.flatMap { $0 }
        }
        for copy in copies { await Self.discard(copy) }
    }

    private static func discard(_ copy: Copy) async {
        copy.cloud.database.discard()
        await copy.cloud.close()
    }
}
