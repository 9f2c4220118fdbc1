package import WireFormats

/// How the sandbox's time follows the wall clock's.
package enum ClockMode: Sendable, Equatable {
    /// It is the wall clock's.
    case running
    case frozen(at: Timestamp)
    /// It runs as the wall clock does, so many milliseconds ahead of it, or behind where they are negative.
    case ahead(milliseconds: Int64)

    /// The mode in one word, for an atomic read: the lowest bit tells frozen from running.
    var word: Int64 {
        switch self {
        case .running: 0
        case .frozen(let time): time.milliseconds << 1 | 1
        case .ahead(let milliseconds): milliseconds << 1
        }
    }

    init(word: Int64) {
        self =
            if word == 0 {
                .running
            } else if word & 1 == 1 {
                .frozen(at: Timestamp(milliseconds: word >> 1))
            } else {
                .ahead(milliseconds: word >> 1)
            }
    }

    @inline(__always)
    func time(atWall wall: Timestamp) -> Timestamp {
        switch self {
        case .running: wall
        case .frozen(let time): time
        case .ahead(let milliseconds): Timestamp(milliseconds: wall.milliseconds + milliseconds)
        }
    }
}

/// One change of the clock's mode: it holds for what the wall clock stamps after the second of the change.
struct ClockMove: Sendable, Equatable {
    var wall: Timestamp
    var mode: ClockMode

    /// What the history is kept for: a presigned URL lives seven days at most.
    private static let memory = Duration.seconds(8 * 86_400)
    private static let most = 1000

    /// The history with another move; what nothing can ask about any more is left out.
    static func history(_ moves: [ClockMove], and move: ClockMove) -> [ClockMove] {
        let start = move.wall - memory
        let moves = moves + [move]
        // A move counts until the next one.
        let first = moves.indices.first { $0 + 1 == moves.count || moves[$0 + 1].wall >= start } ?? 0
        return Array(moves[first...].suffix(most))
    }
}
