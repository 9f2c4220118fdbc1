public import Testing
public import VirgaTesting

extension Trait where Self == VirgaTrait {
    /// Gives each test a cloud of its own with a seed.
    ///
    /// ```swift
    /// @Suite(
    ///     .virga(seed: .personalFileStore) { cloud in
    ///         _ = try await cloud.token("company", user: "alice")
    ///         try await cloud.snapshot("logged-in")
    ///     })
    /// ```
    /// - Parameters:
    ///   - seed: what the cloud contains.
    ///   - prepare: changes the cloud once, before the first test. Each test begins with a copy of the result. It can take snapshots, which
    ///     tests choose with ``virga(snapshot:)``.
    public static func virga(
        seed: CloudSeed = .empty, prepare: (@Sendable (RunningCloud) async throws -> Void)? = nil
    ) -> VirgaTrait {
        VirgaTrait(.template(CloudTemplate(seed: seed, prepare: prepare)))
    }

    /// Lets a test begin with a snapshot that the preparation of its suite took.
    /// - Parameter snapshot: the name of the snapshot.
    public static func virga(snapshot: String) -> VirgaTrait { VirgaTrait(.snapshot(snapshot)) }

    /// Changes the time of a test's cloud before the test begins. Needs ``virga(seed:prepare:)`` on the test or its suite.
    public static func virgaClock(_ setting: ClockSetting) -> VirgaTrait { VirgaTrait(.clock(setting)) }

    /// Adds rules that make requests to a test's cloud fail. Needs ``virga(seed:prepare:)`` on the test or its suite.
    public static func virgaFaults(_ faults: Fault...) -> VirgaTrait { VirgaTrait(.faults(faults)) }
}
