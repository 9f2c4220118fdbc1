import Cloud
import ObjectStore
import Synchronization
import WireFormats

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

    /// The copies of one kind, and the callers that wait for one.
    private struct Shelf {
        var copies: [Copy] = []
        var waiting: [(number: Int, continuation: CheckedContinuation<Copy, any Error>)] = []
        var uses = 0
        /// How many copies are kept from the second use on.
        var size = 2
        /// How many copies are being made.
        var makers = 0
        var make: (@Sendable () async throws -> Copy)?

        /// How many copies are wanted and neither there nor being made.
        func missing(isClosed: Bool) -> Int { waiting.count + spare(isClosed: isClosed) - copies.count - makers }

        /// Whether nothing refers to the kind any more.
        var isUnused: Bool { uses == 0 && makers == 0 && waiting.isEmpty }

        /// How many copies are kept.
        func spare(isClosed: Bool) -> Int { uses > 1 && !isClosed ? size : 0 }
    }

    private struct State {
        var shelves: [Kind: Shelf] = [:]
        var arrivals = 0
        var isClosed = false
    }

    /// How many copies of a snapshot are made at once. More would only delay each other, and the requests.
    private static let mostMakers = 2

    private let state = Mutex(State())

    /// Takes a copy out.
    /// - Parameters:
    ///   - most: the most copies that are kept.
    ///   - make: makes a copy.
    func take(_ kind: Kind, keeping most: Int = 8, _ make: @escaping @Sendable () async throws -> Copy) async throws -> Copy {
        let copy = state.withLock { state -> Copy? in
            var shelf = state.shelves[kind] ?? Shelf()
            defer { state.shelves[kind] = shelf }
            (shelf.uses, shelf.make) = (shelf.uses + 1, make)
            let copy = shelf.copies.popLast()
            // Several callers restore at once, for instance the workers of a test suite.
            if copy == nil, shelf.uses > 2 { shelf.size = min(shelf.size + 1, most) }
            return copy
        }
        if let copy {
            startMakers(of: kind)
            return copy
        }
        return try await withCheckedThrowingContinuation { continuation in
            state.withLock { state in
                state.arrivals += 1
                state.shelves[kind, default: Shelf()].make = make
                state.shelves[kind, default: Shelf()].waiting.append((state.arrivals, continuation))
            }
            startMakers(of: kind)
        }
    }

    /// Makes what is missing, behind the answer of a caller that has its copy.
    private func startMakers(of kind: Kind) {
        let count = state.withLock { state -> Int in
            guard var shelf = state.shelves[kind] else { return 0 }
            let count = max(0, min(shelf.missing(isClosed: state.isClosed), Self.mostMakers - shelf.makers))
            shelf.makers += count
            state.shelves[kind] = shelf
            return count
        }
        for _ in 0..<count { Task { await makeMissing(kind) } }
    }

    /// Makes copies until none is missing.
    private func makeMissing(_ kind: Kind) async {
        while true {
            let (make, begun) = state.withLock { ($0.shelves[kind]?.make, $0.arrivals) }
            guard let make else { return }
            let result: Result<Copy, any Error>
            do { result = .success(try await make()) } catch { result = .failure(error) }
            if await !deliver(result, begun, kind) { return }
        }
    }

    /// Hands a copy to the caller that waits longest, or keeps it. The error of a copy is for a caller that waited when it was begun.
    /// - Returns: whether another copy is to be made.
    private func deliver(_ result: Result<Copy, any Error>, _ begun: Int, _ kind: Kind) async -> Bool {
        var unwanted: Copy?
        let (receiver, goesOn) = state.withLock { state -> (CheckedContinuation<Copy, any Error>?, Bool) in
            var shelf = state.shelves[kind] ?? Shelf()
            shelf.makers -= 1
            var receiver: CheckedContinuation<Copy, any Error>?
            let goesOn: Bool
            switch result {
            case .success(let copy):
                if !shelf.waiting.isEmpty {
                    receiver = shelf.waiting.removeFirst().continuation
                } else if shelf.copies.count < shelf.spare(isClosed: state.isClosed) {
                    shelf.copies.append(copy)
                } else {
                    unwanted = copy
                }
                goesOn = shelf.missing(isClosed: state.isClosed) > 0
            case .failure:
                if let first = shelf.waiting.first, first.number <= begun { receiver = shelf.waiting.removeFirst().continuation }
                // Without a caller that waits, the next one tries again.
                goesOn = !shelf.waiting.isEmpty && shelf.missing(isClosed: state.isClosed) > 0
            }
            if goesOn { shelf.makers += 1 }
            // It may refer to the owner of the stock.
            if shelf.makers == 0 { shelf.make = nil }
            state.shelves[kind] = shelf.isUnused ? nil : shelf
            return (receiver, goesOn)
        }
        receiver?.resume(with: result)
        if let unwanted { await Self.discard(unwanted) }
        return goesOn
    }

    /// Removes the copies of a snapshot that was removed or replaced. Callers that wait for one still get it, if it can be made.
    func clear(_ snapshot: String) async {
        let copies = state.withLock { state -> [Copy] in
            [true, false].flatMap { isDefault -> [Copy] in
                let kind = Kind(snapshot: snapshot, isDefault: isDefault)
                guard var shelf = state.shelves[kind] else { return [] }
                defer { state.shelves[kind] = shelf.isUnused ? nil : shelf }
                defer { (shelf.copies, shelf.uses) = ([], 0) }
                return shelf.copies
            }
        }
        for copy in copies { await Self.discard(copy) }
    }

    func close() async {
        let copies = state.withLock { state -> [Copy] in
            state.isClosed = true
            let copies = state.shelves.values.flatMap(\.copies)
            for kind in state.shelves.keys { state.shelves[kind]?.copies = [] }
            return copies
        }
        for copy in copies { await Self.discard(copy) }
    }

    private static func discard(_ copy: Copy) async {
        copy.cloud.database.discard()
        await copy.cloud.close()
    }
}
