import Cloud
import ObjectStore
import Synchronization

/// Copies of snapshots that are open already, so that a restore need not wait for a copy.
///
/// A snapshot that is restored again and again, as before every test, has copies in stock: as many as are needed at once. They are renewed
/// behind the answer.
final class SnapshotStock: Sendable {
    /// A copy of a snapshot in a folder of its own.
    struct Copy: Sendable {
        var cloud: Cloud
        /// The number of its folder.
        var world: Int
    }

    /// What copies are interchangeable.
    struct Kind: Hashable, Sendable {
        /// Identifies the snapshot.
        var snapshot: String
        /// Whether the copies are for the default sandbox.
        var isDefault = false
    }

    private struct State {
        var copies: [Kind: [Copy]] = [:]
        /// How many copies are being made.
        var pending: [Kind: Int] = [:]
        var uses: [Kind: Int] = [:]
        /// How many copies are kept.
        var sizes: [Kind: Int] = [:]
        var isClosed = false
    }

    /// How many copies are kept from the second use on. When none is left, one more is kept from then on.
    private static let smallestSize = 2

    private let state = Mutex(State())

    /// Takes a copy out.
    /// - Parameters:
    ///   - most: the most copies that are kept.
    ///   - make: makes a copy.
    func take(_ kind: Kind, keeping most: Int = 8, _ make: @escaping @Sendable () async throws -> Copy) async throws -> Copy {
        let (copy, missing) = state.withLock { state -> (Copy?, Int) in
            state.uses[kind, default: 0] += 1
            let copy = state.copies[kind]?.popLast()
            guard state.uses[kind, default: 0] > 1, !state.isClosed else { return (copy, 0) }
            // Several callers restore at once, for instance the workers of a test suite.
            if copy == nil, state.uses[kind, default: 0] > 2 {
                state.sizes[kind] = min(state.sizes[kind, default: Self.smallestSize] + 1, most)
            }
            let missing =
                state.sizes[kind, default: Self.smallestSize] - (state.copies[kind]?.count ?? 0) - state.pending[kind, default: 0]
            state.pending[kind, default: 0] += max(missing, 0)
            return (copy, missing)
        }
        for _ in 0..<max(missing, 0) {
            Task {
                let made = try? await make()
                let isWanted = state.withLock { state in
                    guard state.pending[kind] != nil, !state.isClosed else { return false }
                    state.pending[kind, default: 1] -= 1
                    if let made { state.copies[kind, default: []].append(made) }
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
        let copies = state.withLock { state -> [Copy] in
            [true, false].flatMap { isDefault -> [Copy] in
                let kind = Kind(snapshot: snapshot, isDefault: isDefault)
                (state.pending[kind], state.uses[kind], state.sizes[kind]) = (nil, nil, nil)
                return state.copies.removeValue(forKey: kind) ?? []
            }
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
