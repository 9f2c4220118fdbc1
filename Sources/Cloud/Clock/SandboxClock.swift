import Synchronization
package import WireFormats

/// The sandbox's time. Every read of time goes through it.
///
/// It can *age* the sandbox: "everything issued so far becomes one hour older". What is issued afterwards carries true
/// wall-clock times, so that no client sees a date in the future, while what was issued before has moved back: its effective
/// time is its own stamp less the sum of the ages declared after it. Stamps have a resolution of one second, so ``age(by:)``
/// answers once the next second has begun, and nothing that is issued after the answer shares a second with what has aged.
package final class SandboxClock: Sendable {
    /// One call of ``SandboxClock/age(by:)``: stamps of this second and earlier are `seconds` older.
    struct Age: Sendable {
        var declared: Int64
        var seconds: Int64
    }

    private let ages: Mutex<[Age]>
    private let system: @Sendable () -> Timestamp

    /// - Parameter system: the wall clock; a test passes its own.
    init(ages: [Age], system: @escaping @Sendable () -> Timestamp = { Timestamp.now() }) {
        self.ages = Mutex(ages)
        self.system = system
    }

    /// The wall clock's time, which stamps whatever is issued now.
    package var now: Timestamp { system() }

    /// How much older than its own words something is that carries this stamp, in seconds.
    package func aging(since stamp: Timestamp) -> Int64 {
        ages.withLock { ages in
            guard !ages.isEmpty else { return 0 }
            let second = stamp.seconds
            return ages.reduce(0) { sum, age in age.declared >= second ? sum + age.seconds : sum }
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

    func add(_ age: Age) { ages.withLock { $0.append(age) } }

    func forgetAges() { ages.withLock { $0.removeAll() } }
}

extension Cloud {
    /// Makes everything issued so far older, and returns when the next second has begun.
    /// - Parameter duration: whole seconds, more than zero.
    package func age(by duration: Duration) async throws {
        let age = SandboxClock.Age(declared: clock.now.seconds, seconds: duration.components.seconds)
        try await database.write { connection in
            try AgeRecords.insert(age, into: connection)
        } committed: { _ in
            self.clock.add(age)
        }
        while clock.now.seconds <= age.declared {
            try await Task.sleep(for: .milliseconds(1000 - clock.now.milliseconds % 1000))
        }
    }
}
