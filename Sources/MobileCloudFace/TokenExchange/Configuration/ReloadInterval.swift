import Cloud
import WireFormats

/// How long what was read elsewhere is kept, in seconds of the sandbox's time.
struct ReloadInterval: Hashable, Sendable {
    /// What is missing has everything read again, unless that was done less than this ago.
    var least: Int
    /// What was read longer ago is read again in any case.
    var most: Int

    init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }

    init(
        _ reader: ConfigurationReader, least: String, most: String, or usual: ReloadInterval
    ) throws(ConfigurationFault) {
        self.init(least: try reader.seconds(least) ?? usual.least, most: try reader.seconds(most) ?? usual.most)
    }

    /// Whether what was read at `moment` must be read again.
    func isOver(since moment: Timestamp, by clock: SandboxClock) -> Bool {
        guard let age = age(of: moment, by: clock) else { return true }
        return age > Int64(most) * 1000
    }

    /// Whether it may be read again because something is missing.
    func allowsReload(since moment: Timestamp, by clock: SandboxClock) -> Bool {
        guard let age = age(of: moment, by: clock) else { return true }
        return age >= Int64(least) * 1000
    }

    /// In milliseconds; `nil` if the clock has gone back since.
    private func age(of moment: Timestamp, by clock: SandboxClock) -> Int64? {
        let age = clock.now.milliseconds - clock.effective(moment).milliseconds
        return age < 0 ? nil : age
    }
}
