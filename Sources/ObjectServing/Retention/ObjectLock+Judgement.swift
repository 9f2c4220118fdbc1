package import Cloud
import ObjectStore
package import WireFormats

extension ObjectLock.Mode {
    /// As headers and XML spell it.
    package var name: String {
        switch self {
        case .governance: "GOVERNANCE"
        case .compliance: "COMPLIANCE"
        }
    }

    /// The mode of a name in documents and header fields.
    package init?(named name: String) {
        switch name {
        case "GOVERNANCE": self = .governance
        case "COMPLIANCE": self = .compliance
        default: return nil
        }
    }
}

extension ObjectLock {
    /// Whether the lock keeps its version from being deleted now.
    /// - Parameter bypasses: whether the caller may, and wants to, pass over a retention in governance mode.
    package func forbidsDeletion(by clock: SandboxClock, bypassingGovernance bypasses: Bool) -> Bool {
        if legalHold == true { return true }
        guard let retention, retention.isInForce(by: clock) else { return false }
        return retention.mode == .compliance || !bypasses
    }
}

extension ObjectLock.Retention {
    /// When the retention ends, which moves back as the sandbox ages.
    package func end(by clock: SandboxClock) -> Timestamp {
        let seconds = clock.aging(since: declared)
        return seconds == 0 ? until : Timestamp(milliseconds: until.milliseconds - seconds * 1000)
    }

    /// Whether the retention has not ended yet.
    package func isInForce(by clock: SandboxClock) -> Bool { !clock.hasExpired(until, issuedAt: declared) }
}
