import Synchronization
package import WireFormats

/// The time and region of the last activity of a principal. It is kept only in memory, so no request waits for a write.
/// A request compares one atomic number, and takes the lock only if the second has changed.
package final class LastActivity: Sendable {
    private let second = Atomic<Int64>(.min)
    private let use = Mutex<(time: Timestamp, region: String)?>(nil)

    init() {}

    /// Records an activity of the principal.
    package func note(_ time: Timestamp, region: String) {
        let now = time.seconds
        guard second.load(ordering: .relaxed) != now else { return }
        second.store(now, ordering: .relaxed)
        use.withLock { $0 = (Timestamp(seconds: now), region) }
    }

    /// The last activity; `nil` if there was none since the process started.
    package var last: (time: Timestamp, region: String)? { use.withLock(\.self) }
}
