package import Cloud
package import WireFormats

/// How long external data is cached, in seconds of the sandbox's time.
package struct ReloadInterval: Hashable, Sendable {
    /// The minimum age at which missing data triggers a reload.
    package var least: Int
    /// The maximum age, after which the data is always reloaded.
    package var most: Int

    package init(least: Int, most: Int) {
        self.least = least
        self.most = most
    }

    init(_ reader: ConfigurationReader, least: String, most: String, or usual: ReloadInterval) {
        self.init(least: reader.seconds(least) ?? usual.least, most: reader.seconds(most) ?? usual.most)
    }

    /// Returns whether data that was read at `moment` must be reloaded.
    package func isOver(since moment: Timestamp, by clock: SandboxClock) -> Bool {
        guard let age = age(of: moment, by: clock) else { return true }
        return age > Int64(most) * 1000
    }

    /// Returns whether the data may be reloaded because something is missing.
    package func allowsReload(since moment: Timestamp, by clock: SandboxClock) -> Bool {
        guard let age = age(of: moment, by: clock) else { return true }
        return age >= Int64(least) * 1000
    }

    /// Returns the age in milliseconds; `nil` if the clock has gone back since.
    private func age(of moment: Timestamp, by clock: SandboxClock) -> Int64? {
        let age = clock.now.milliseconds - clock.effective(moment).milliseconds
        return age < 0 ? nil : age
    }
}
