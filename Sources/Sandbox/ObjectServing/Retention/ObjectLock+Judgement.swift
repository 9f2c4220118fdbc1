package import Cloud
import ObjectStore
package import WireFormats

extension ObjectLock {
    /// Whether the lock currently protects its version from being deleted.
    /// - Parameter bypasses: whether the caller asks, and has permission, to bypass a retention in governance mode.
    package func forbidsDeletion(by clock: SandboxClock, bypassingGovernance bypasses: Bool) -> Bool {
        if legalHold == true { return true }
        guard let retention, retention.isInForce(by: clock) else { return false }
        return retention.mode == .compliance || !bypasses
    }
}

extension ObjectLock.Retention {
    /// Returns the end of the retention, which the aging of the sandbox moves into the past.
    package func end(by clock: SandboxClock) -> Timestamp {
        let seconds = clock.aging(since: declared)
        return seconds == 0 ? until : Timestamp(milliseconds: until.milliseconds - seconds * 1000)
    }

    /// Whether the retention has not ended yet.
    package func isInForce(by clock: SandboxClock) -> Bool { !clock.hasExpired(until, issuedAt: declared) }
}
