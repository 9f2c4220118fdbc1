import Synchronization
package import WireFormats

/// The sandbox's time. Every read of time goes through it.
///
/// It can *age* the sandbox: "everything issued so far becomes one hour older". What is issued afterwards carries the clock's
/// times, so that no client sees a date in the future, while what was issued before has moved back: its effective
/// time is its own stamp less the sum of the ages declared after it. Stamps have a resolution of one second, so
/// ``Cloud/age(by:)`` answers once the next second has begun, and nothing that is issued after the answer shares a second with
/// what has aged.
///
/// It can also *move*: stand still, run on from another time, and return to the wall clock; see ``ClockMove``. Clients know
/// nothing of that: what they sign carries the wall clock's time, and ``moment(ofWall:)`` says what the sandbox's time was then.
package final class SandboxClock: Sendable {
    /// One call of ``Cloud/age(by:)``: stamps of this second and earlier are `seconds` older.
    package struct Age: Sendable, Equatable {
        /// The age in seconds that an issuer declared.
        package var declared: Int64
        /// The age in seconds by the sandbox's clock.
        package var seconds: Int64
    }

    /// What is read under the lock.
    private struct State {
        var ages: [Age]
        /// The oldest first. A move holds for what the wall clock stamps after the second of the move.
        var moves: [ClockMove]
    }

    private let state: Mutex<State>
    /// The mode as ``ClockMode/word``, so that time is told without the lock.
    private let word: Atomic<Int64>
    private let hasMoved: Atomic<Bool>
    private let system: @Sendable () -> Timestamp

    /// - Parameter system: the wall clock; a test passes its own.
    init(ages: [Age], moves: [ClockMove] = [], system: @escaping @Sendable () -> Timestamp = { Timestamp.now() }) {
        state = Mutex(State(ages: ages, moves: moves))
        word = Atomic(moves.last?.mode.word ?? ClockMode.running.word)
        hasMoved = Atomic(!moves.isEmpty)
        self.system = system
    }

    /// The sandbox's time, which stamps whatever is issued now.
    package var now: Timestamp { mode.time(atWall: system()) }

    /// The time of the machine, which clients' signatures and the `Date` of answers follow.
    package var wall: Timestamp { system() }

    /// Both at once.
    package var reading: (now: Timestamp, wall: Timestamp) {
        let wall = system()
        return (mode.time(atWall: wall), wall)
    }

    /// Whether the clock runs, and by how much it differs from the machine's.
    package var mode: ClockMode { ClockMode(word: word.load(ordering: .acquiring)) }

    /// In the order of their declaration.
    package var ages: [Age] { state.withLock { $0.ages } }

    var moves: [ClockMove] { state.withLock { $0.moves } }

    /// How much older than its own words something is that carries this stamp, in seconds.
    package func aging(since stamp: Timestamp) -> Int64 {
        state.withLock { state in
            guard !state.ages.isEmpty else { return 0 }
            let second = stamp.seconds
            return state.ages.reduce(0) { sum, age in age.declared >= second ? sum + age.seconds : sum }
        }
    }

    /// When something that carries `stamp` effectively happened.
    package func effective(_ stamp: Timestamp) -> Timestamp {
        let seconds = aging(since: stamp)
        return seconds == 0 ? stamp : Timestamp(milliseconds: stamp.milliseconds - seconds * 1000)
    }

    /// Whether something issued at `issued` that says it ends at `expiry` has ended by now.
    package func hasExpired(_ expiry: Timestamp, issuedAt issued: Timestamp) -> Bool {
        expiry.milliseconds - aging(since: issued) * 1000 <= now.milliseconds
    }

    /// The sandbox's time when the wall clock showed `stamp`: what a signature's time means here.
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
