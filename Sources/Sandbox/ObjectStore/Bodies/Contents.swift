import SQLite
import Synchronization
import WireFormats

/// Determines when the pieces of a content can be deleted: when the database does not refer to it and it is not in use.
///
/// A writer or reader of a content *pins* it in memory, so that reading needs no long transaction. A content is *unused* if its last
/// reference was deleted, or if it never had one. Unused contents that are not pinned are swept: their pieces are deleted step by step,
/// in separate writes. Contents that remain after a crash are swept at the next start.
final class Contents: Sendable {
    fileprivate struct State {
        var nextNumber: Int64
        var pins: [ContentID: Int] = [:]
        var unused: Set<ContentID> = []
        var sweepCount: UInt64 = 0
    }

    private static let piecesPerSweep: Int64 = 64

    let allowance = PieceAllowance()
    private let database: Database
    private let state: Mutex<State>

    /// Finds the contents that the last run left behind, and starts to sweep them.
    init(database: Database) throws {
        self.database = database
        let (last, leftovers) = try database.read { connection in
            let last =
                try [
                    ContentStatement.last.rawValue, ContentStatement.lastSegmented.rawValue, ObjectStatement.lastBody.text,
                ].map { try connection.first($0) { $0.integer(0) } ?? 0 }.max() ?? 0
            let unused = try connection.all(ContentStatement.unused.rawValue) { ContentID(number: $0.integer(0)) }
            return (last, unused)
        }
        state = Mutex(State(nextNumber: last + 1))
        for content in leftovers { sweep(content) }
    }

    /// Returns a new content, pinned and unused.
    func stage() -> ContentID {
        state.withLock { state in
            let content = ContentID(number: state.nextNumber)
            state.nextNumber += 1
            state.pins[content] = 1
            state.unused.insert(content)
            return content
        }
    }

    /// Returns a new number for a body. Contents and bodies share one sequence of numbers.
    func newBodyNumber() -> Int64 {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// The number of sweeps so far. Read it before the query for the contents to pin.
    var sweepCount: UInt64 { state.withLock { $0.sweepCount } }

    /// Pins the contents that a query found. Returns false if a sweep has begun since `sweepCount` was read: the query may have found
    /// contents that are being deleted, and must be repeated.
    func pin(_ contents: [ContentID], unlessSweptSince sweepCount: UInt64) -> Bool {
        state.withLock { state in
            guard state.sweepCount == sweepCount else { return false }
            for content in contents { state.pins[content, default: 0] += 1 }
            return true
        }
    }

    func unpin(_ contents: [ContentID]) {
        let swept = state.withLock { state in
            for content in contents {
                let pins = state.pins[content, default: 1] - 1
                state.pins[content] = pins == 0 ? nil : pins
            }
            return state.takeSweepable(of: contents)
        }
        for content in swept { sweep(content) }
    }

    /// Marks a content as used. Call this after the commit that added its first reference.
    func publish(_ content: ContentID) {
        _ = state.withLock { $0.unused.remove(content) }
    }

    /// Marks contents as unused. Call this after the commit that deleted their last references.
    func release(_ contents: [ContentID]) {
        if contents.isEmpty { return }
        let swept = state.withLock { state in
            state.unused.formUnion(contents)
            return state.takeSweepable(of: contents)
        }
        for content in swept { sweep(content) }
    }

    /// Deletes some pieces of a content, and queues itself again until none is left, so that other writes run in between.
    private func sweep(_ content: ContentID) {
        database.submit { connection -> Bool in
            let range: [Value] = [.integer(content.firstPiece), .integer(content.lastPossiblePiece)]
            let deleted = try connection.run(ContentStatement.deletePieces.rawValue, range + [.integer(Self.piecesPerSweep)])
            if deleted == Self.piecesPerSweep { return false }
            try connection.run(ContentStatement.delete.rawValue, .integer(content.number))
            return true
        } completion: { result in
            // After an error, the content stays unused in the database. The next start sweeps it.
            if case .success(false) = result { self.sweep(content) }
        }
    }
}

extension Contents.State {
    /// Removes the contents that can be swept now from the unused ones, and returns them.
    fileprivate mutating func takeSweepable(of contents: [ContentID]) -> [ContentID] {
        let sweepable = contents.filter { pins[$0] == nil && unused.remove($0) != nil }
        if !sweepable.isEmpty { sweepCount += 1 }
        return sweepable
    }
}
