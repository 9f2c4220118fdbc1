import Synchronization
package import WireFormats

/// When and where something was last used. It lives in memory alone: nobody waits for it to be written. A request looks at one number,
/// and takes the lock when the second has changed.
package final class LastActivity: Sendable {
    private let second = Atomic<Int64>(.min)
    private let use = Mutex<(time: Timestamp, region: String)?>(nil)

    init() {}

    /// Notes that the principal was active.
    package func note(_ time: Timestamp, region: String) {
        let now = time.seconds
        guard second.load(ordering: .relaxed) != now else { return }
        second.store(now, ordering: .relaxed)
        use.withLock { $0 = (Timestamp(seconds: now), region) }
    }

    /// Nothing if it was not used since the process started.
    package var last: (time: Timestamp, region: String)? { use.withLock(\.self) }
}
