import ObjectStore
import SQLite
package import WireFormats

/// A change of the sandbox's clock, other than aging.
package enum ClockChange: Sendable, Equatable {
    /// Freezes the time, at the given time or at the current one.
    case freeze(at: Timestamp?)
    /// Sets the time, which continues to run.
    case set(Timestamp)
    /// Returns to real time.
    case resume

    /// The accepted times. All formats in use can represent them; the year 9999 is reserved for expiry times.
    package static let times = Timestamp(milliseconds: 0)..<Timestamp(seconds: 253_370_764_800)

    /// Returns whether everything can be made older by a duration: whole seconds, from one second to a hundred years.
    package static func isAging(_ duration: Duration) -> Bool {
        duration >= .seconds(1) && duration.components.attoseconds == 0 && duration <= .seconds(100 * 365 * 86400)
    }
}

extension Cloud {
    /// Makes everything issued so far older, and returns when the next second has begun. A frozen clock advances to that second.
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

    /// Changes the clock, and returns when the next second of real time has begun. Requests that clients sign afterwards can then be
    /// distinguished from those signed before.
    ///
    /// Setting the clock to before an aging undoes it, because the aging must not apply to anything that is issued from now on.
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
