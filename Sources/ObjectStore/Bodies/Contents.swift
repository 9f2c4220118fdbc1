import SQLite
import Synchronization

/// Decides when a content's pieces may be deleted: when nothing in the database refers to it and nobody here holds it.
///
/// Whoever stages or reads a content *pins* it, in memory, so that reading needs no long transaction. A content whose last
/// reference was deleted, or that never got one, is *unused*; unused and unpinned ones are swept, piece by piece, in
/// writes of their own. What a crash leaves behind is swept at the next start.
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

    /// Finds what the last run left behind and starts to sweep it.
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

    /// A new content, pinned and unused.
    func stage() -> ContentID {
        state.withLock { state in
            let content = ContentID(number: state.nextNumber)
            state.nextNumber += 1
            state.pins[content] = 1
            state.unused.insert(content)
            return content
        }
    }

    /// A number under which no body is kept. Contents and bodies are numbered in one row.
    func newBodyNumber() -> Int64 {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
    }

    /// How many sweeps have begun. To be read before the query that finds the contents to pin.
    var sweepCount: UInt64 { state.withLock { $0.sweepCount } }

    /// Pins what a query has found, unless a sweep has begun since `sweepCount` was read: then the query may have seen
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

    /// To be called when the commit that gave a staged content its first reference has ended.
    func publish(_ content: ContentID) {
        _ = state.withLock { $0.unused.remove(content) }
    }

    /// To be called when the commit that deleted the contents' last references has ended.
    func release(_ contents: [ContentID]) {
        if contents.isEmpty { return }
        let swept = state.withLock { state in
            state.unused.formUnion(contents)
            return state.takeSweepable(of: contents)
        }
        for content in swept { sweep(content) }
    }

    /// Deletes some pieces, then goes to the end of the queue until none is left, so that other writes get through.
    private func sweep(_ content: ContentID) {
        database.submit { connection -> Bool in
            let range: [Value] = [.integer(content.firstPiece), .integer(content.lastPossiblePiece)]
            let deleted = try connection.run(ContentStatement.deletePieces.rawValue, range + [.integer(Self.piecesPerSweep)])
            if deleted == Self.piecesPerSweep { return false }
            try connection.run(ContentStatement.delete.rawValue, .integer(content.number))
            return true
        } completion: { result in
            // After an error the content stays unused in the database, for the next start to sweep.
            if case .success(false) = result { self.sweep(content) }
        }
    }
}

extension Contents.State {
    /// Takes those contents off the list that can be swept now.
    fileprivate mutating func takeSweepable(of contents: [ContentID]) -> [ContentID] {
        let sweepable = contents.filter { pins[$0] == nil && unused.remove($0) != nil }
        if !sweepable.isEmpty { sweepCount += 1 }
        return sweepable
    }
}
