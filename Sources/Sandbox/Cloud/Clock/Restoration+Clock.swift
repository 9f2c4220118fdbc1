package import ObjectStore

extension Restoration {
    /// Returns the state of a restoration, by the sandbox's clock with its agings.
    package func state(by clock: SandboxClock) -> State {
        if clock.hasExpired(until, issuedAt: declared) { return .over }
        guard let ready else { return .available }
        return clock.hasExpired(ready, issuedAt: declared) ? .available : .underWay
    }
}
