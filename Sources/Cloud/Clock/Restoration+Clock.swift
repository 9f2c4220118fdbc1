package import ObjectStore

extension Restoration {
    /// How far it is, by a clock that ages the sandbox.
    package func state(by clock: SandboxClock) -> State {
        if clock.hasExpired(until, issuedAt: declared) { return .over }
        guard let ready else { return .available }
        return clock.hasExpired(ready, issuedAt: declared) ? .available : .underWay
    }
}
