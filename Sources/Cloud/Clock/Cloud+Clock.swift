import ObjectStore
import SQLite
package import WireFormats

/// What can be done to the sandbox's clock beside ageing.
package enum ClockChange: Sendable, Equatable {
    /// Lets time stand still, at another time or where it is.
    case freeze(at: Timestamp?)
    /// Lets time run on from another.
    case set(Timestamp)
    /// Returns to the wall clock.
    case resume
}

extension Cloud {
    /// Makes everything issued so far older, and returns when the next second has begun. Where time stands still it moves on to
    /// that second.
    /// - Parameter duration: whole seconds, more than zero.
    package func age(by duration: Duration) async throws {
        try await clockChanges.pass {
            let declared = clock.now.seconds
            let ages = clock.ages + [.init(declared: declared, seconds: duration.components.seconds)]
            var moves = clock.moves
            if case .frozen = clock.mode {
                let next = ClockMode.frozen(at: Timestamp(seconds: declared + 1))
                moves = ClockMove.history(moves, and: ClockMove(wall: clock.wall, mode: next))
            }
            try await change(ages: ages, moves: moves)
            while clock.now.seconds <= declared { try await untilNextSecond(of: clock.now) }
        }
    }

    /// Moves the clock, and returns when the wall clock's next second has begun, so that what clients sign afterwards is told
    /// from what they signed before.
    ///
    /// A clock that goes back to before an ageing undoes it: the ageing is still to come, and it must not reach what is issued now.
    package func change(clock change: ClockChange) async throws {
        try await clockChanges.pass {
            let (now, wall) = clock.reading
            let mode: ClockMode =
                switch change {
                case .freeze(let time): .frozen(at: time ?? now)
                case .set(let time): .ahead(milliseconds: time.milliseconds - wall.milliseconds)
                case .resume: .running
                }
            let time = mode.time(atWall: wall)
            try await self.change(
                ages: clock.ages.filter { $0.declared < time.seconds },
                moves: ClockMove.history(clock.moves, and: ClockMove(wall: wall, mode: mode)))
            while clock.wall.seconds <= wall.seconds { try await untilNextSecond(of: clock.wall) }
        }
    }

    private func change(ages: [SandboxClock.Age], moves: [ClockMove]) async throws {
        try await database.write { connection in
            try connection.run(AgeStatement.deleteAll.rawValue)
            for age in ages { try AgeRecords.insert(age, into: connection) }
            try MoveRecords.replace(moves, in: connection)
        } committed: { _ in
            self.clock.replace(ages: ages, moves: moves)
        }
    }

    private func untilNextSecond(of time: Timestamp) async throws {
        try await Task.sleep(for: .milliseconds(1000 - time.milliseconds % 1000))
    }
}
