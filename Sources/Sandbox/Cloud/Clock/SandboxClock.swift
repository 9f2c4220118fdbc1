import Synchronization
package import WireFormats

/// The sandbox's clock, which provides all times.
///
/// It can *age* the sandbox: everything issued so far becomes older, for example by one hour. New items get the current time, so that no
/// client receives a date in the future. The effective time of an older item is its timestamp minus the sum of the agings that were
/// declared after it. Timestamps have a resolution of one second. Therefore ``Cloud/age(by:)`` returns when the next second has begun:
/// nothing that is issued later has the same second as an aged item.
///
/// It can also *move*: stop, run on from another time, and return to real time; see ``ClockMove``. Clients do not know about moves. Their
/// signatures contain real time, and ``moment(ofWall:)`` converts it to the sandbox's time at that moment.
package final class SandboxClock: Sendable {
    /// One aging by ``Cloud/age(by:)``: timestamps of the declared second and earlier are `seconds` older.
    package struct Age: Sendable, Equatable {
        /// The second of the sandbox's clock in which the aging was declared.
        package var declared: Int64
        /// The number of seconds.
        package var seconds: Int64
    }

    /// The state that the lock protects.
    private struct State {
        var ages: [Age]
        /// The moves, the oldest first. A move applies to timestamps of the wall clock after the second of the move.
        var moves: [ClockMove]
    }

    private let state: Mutex<State>
    /// The mode as ``ClockMode/word``, so that the time can be read without the lock.
    private let word: Atomic<Int64>
    private let hasMoved: Atomic<Bool>
    private let system: @Sendable () -> Timestamp

    /// - Parameter system: the wall clock; tests can pass a different one.
    init(ages: [Age], moves: [ClockMove] = [], system: @escaping @Sendable () -> Timestamp = { Timestamp.now() }) {
        state = Mutex(State(ages: ages, moves: moves))
        word = Atomic(moves.last?.mode.word ?? ClockMode.running.word)
        hasMoved = Atomic(!moves.isEmpty)
        self.system = system
    }

    /// The sandbox's time, which is the timestamp of everything that is issued now.
    package var now: Timestamp { mode.time(atWall: system()) }

    /// Real time, which applies to clients' signatures and to the `Date` header of responses.
    package var wall: Timestamp { system() }

    /// The sandbox's time and real time, from one reading.
    package var reading: (now: Timestamp, wall: Timestamp) {
        let wall = system()
        return (mode.time(atWall: wall), wall)
    }

    /// How the sandbox's time currently differs from real time.
    package var mode: ClockMode { ClockMode(word: word.load(ordering: .acquiring)) }

    /// The agings, in the order of their declaration.
    package var ages: [Age] { state.withLock { $0.ages } }

    var moves: [ClockMove] { state.withLock { $0.moves } }

    /// Returns the number of seconds by which an item with a timestamp has aged.
    package func aging(since stamp: Timestamp) -> Int64 {
        state.withLock { $0.ages.aging(since: stamp) }
    }

    /// Returns the effective time of an item with a timestamp.
    package func effective(_ stamp: Timestamp) -> Timestamp {
        state.withLock { $0.ages.effective(stamp) }
    }

    /// Returns when an item that was issued at `issued` and expires at `expiry` expires effectively: its agings make the end earlier.
    package func effectiveExpiry(_ expiry: Timestamp, issuedAt issued: Timestamp) -> Timestamp {
        let seconds = aging(since: issued)
        return seconds == 0 ? expiry : expiry - .seconds(seconds)
    }

    /// Returns whether an item that was issued at `issued` and expires at `expiry` has expired.
    package func hasExpired(_ expiry: Timestamp, issuedAt issued: Timestamp) -> Bool { effectiveExpiry(expiry, issuedAt: issued) <= now }

    /// Returns the timestamp whose effective time is `time`, the opposite of ``effective(_:)``; `time` itself if there is none.
    ///
    /// A document that was issued here contains effective times, such as the claim `auth_time`. What is issued from it keeps timestamps.
    package func stamp(ofEffective time: Timestamp) -> Timestamp {
        let ages = self.ages
        var stamp = time
        for age in [SandboxClock.Age(declared: 0, seconds: 0)] + ages.reversed() {
            stamp = stamp + .seconds(age.seconds)
            if ages.effective(stamp) == time { return stamp }
        }
        return time
    }

    /// Converts real time to the sandbox's time at that moment, for the time of a signature.
    package func moment(ofWall stamp: Timestamp) -> Timestamp {
        guard hasMoved.load(ordering: .acquiring) else { return stamp }
        let mode = state.withLock { state in state.moves.last { $0.wall.seconds < stamp.seconds }?.mode }
        return mode?.time(atWall: stamp) ?? stamp
    }

    func replace(ages: [Age], moves: [ClockMove]) {
        state.withLock { state in
            state.ages = ages
            state.moves = moves
            word.store(moves.last?.mode.word ?? ClockMode.running.word, ordering: .releasing)
            hasMoved.store(!moves.isEmpty, ordering: .releasing)
        }
    }
}

extension [SandboxClock.Age] {
    /// Returns the number of seconds by which an item with a timestamp has aged.
    package func aging(since stamp: Timestamp) -> Int64 {
        guard !isEmpty else { return 0 }
        let second = stamp.seconds
        return reduce(0) { sum, age in age.declared >= second ? sum + age.seconds : sum }
    }

    /// Returns the effective time of an item with a timestamp.
    package func effective(_ stamp: Timestamp) -> Timestamp {
        let seconds = aging(since: stamp)
        return seconds == 0 ? stamp : stamp - .seconds(seconds)
    }
}
