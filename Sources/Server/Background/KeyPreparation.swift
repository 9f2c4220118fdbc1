import Cloud
import WireFormats

extension SandboxRegistry {
    /// How long no request must arrive before keys are made without a need.
    private static let idleTime = Duration.seconds(1)

    /// Begins to make keys once the process is idle, unless it has needed some before: the first logins then do not wait for them, and a
    /// process that stops soon does not make any.
    func makeKeysWhenIdle() async {
        var answered: UInt64?
        while !services.keys.isPrepared {
            do { try await Task.sleep(for: Self.idleTime) } catch { return }
            let total = services.requests.totals.reduce(0) { $0 + $1.counts.byClass.reduce(0, +) }
            if total == answered, let world = defaultWorld { services.keys.prepare(seedKeys, world.cloud.directory.usualKeys) }
            answered = total
        }
    }
}
