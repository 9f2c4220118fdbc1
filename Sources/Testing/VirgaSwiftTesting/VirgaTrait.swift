public import Testing
import VirgaTesting

/// Gives each test a cloud of its own, as ``Virga/current``.
///
/// ```swift
/// @Suite(.virga(seed: .personalFileStore)) struct Uploads {
///     @Test func storesAFile() async throws {
///         let cloud = try Virga.current
///         // …
///     }
/// }
/// ```
///
/// The process has one server, and each case of a test has a sandbox there, which is removed after it. So tests run in parallel.
public struct VirgaTrait: SuiteTrait, TestTrait, TestScoping {
    /// Tells equal traits apart: one of those of a test provides the cloud for all.
    final class Identity: Sendable {}

    enum Part: Sendable {
        /// The state of the sandbox.
        case template(CloudTemplate)
        /// The snapshot of the template that the sandbox begins with.
        case snapshot(String)
        /// A change of the time.
        case clock(ClockSetting)
        /// Rules for errors.
        case faults([Fault])
    }

    let part: Part
    private let identity = Identity()

    init(_ part: Part) { self.part = part }

    /// True: the trait of a suite applies to each of its tests.
    public var isRecursive: Bool { true }

    /// Returns this trait for a case of a test, if it is the first trait of its type there.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> VirgaTrait? {
        guard testCase != nil else { return nil }
        let first = test.traits.lazy.compactMap { $0 as? VirgaTrait }.first
        return first?.identity === identity ? self : nil
    }

    /// Runs a case of a test in a sandbox.
    /// - Throws: `CloudError` if the sandbox cannot be made, or what the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let start = CloudStart(test.traits.compactMap { ($0 as? VirgaTrait)?.part })
        guard let template = start.template else {
            throw CloudError(.noCurrentCloud, "The test has no cloud. Add the trait .virga() to it or to its suite.")
        }
        try await template.withCopy(of: start.snapshot) { cloud in
            for fault in start.faults { try await cloud.faults.add(fault) }
            for setting in start.clock { try await cloud.clock.apply(setting) }
            try await Virga.$bound.withValue(cloud) { try await function() }
        }
    }
}

/// How the cloud of a test begins, from the traits of its suites and its own.
struct CloudStart {
    private(set) var template: CloudTemplate?
    private(set) var snapshot: String?
    private(set) var clock: [ClockSetting] = []
    private(set) var faults: [Fault] = []

    /// - Parameter parts: those of the outermost suite first. Later seeds and snapshots replace earlier ones.
    init(_ parts: [VirgaTrait.Part]) {
        for part in parts {
            switch part {
            case .template(let template): (self.template, snapshot) = (template, nil)
            case .snapshot(let name): snapshot = name
            case .clock(let setting): clock.append(setting)
            case .faults(let faults): self.faults += faults
            }
        }
    }
}
