package import WireFormats

/// How the sandbox's time is derived from real time.
package enum ClockMode: Sendable, Equatable {
    /// The sandbox's time is real time.
    case running
    case frozen(at: Timestamp)
    /// The sandbox's time runs the given number of milliseconds ahead of real time, or behind it if the number is negative.
    case ahead(milliseconds: Int64)

    /// The mode encoded in one word, for an atomic read. The lowest bit distinguishes frozen from running.
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

/// One change of the clock's mode. It applies to timestamps of the wall clock after the second of the change.
struct ClockMove: Sendable, Equatable {
    var wall: Timestamp
    var mode: ClockMode

    /// The period for which moves are kept: longer than the seven days that a presigned URL is valid at most.
    private static let retention = Duration.seconds(8 * 86_400)
    private static let most = 1000

    /// Returns the history with another move, without those that are too old to be needed.
    static func history(_ moves: [ClockMove], and move: ClockMove) -> [ClockMove] {
        let start = move.wall - retention
        let moves = moves + [move]
        // A move applies until the next one.
        let first = moves.indices.first { $0 + 1 == moves.count || moves[$0 + 1].wall >= start } ?? 0
        return Array(moves[first...].suffix(most))
    }
}
