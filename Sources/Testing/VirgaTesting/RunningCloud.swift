import Cloud
import VirgaServer

/// A cloud inside this process: its sandbox, and what a test does with it.
///
/// Clients reach it at ``endpoint``. The members call the sandbox directly, without HTTP:
///
/// ```swift
/// let token = try await cloud.token("company", user: "alice", fault: .wrongAudience)
/// try await cloud.faults.add(service: "s3", action: "Put*", error: "SlowDown", times: 2)
/// try await cloud.clock.age(.hours(1))
/// try await cloud.journal.expect(.role("personal-files-company"), did: "s3:PutObject", times: 1)
/// ```
public struct RunningCloud: Sendable {
    /// The name of the sandbox.
    public let name: String
    /// The URL with a port of its own, such as `http://127.0.0.1:41237`. Every client can reach it.
    public let endpoint: String
    /// The URL with the name of the sandbox, such as `http://test-1.sandbox.localhost:41237`, for clients that resolve names below
    /// `localhost`, as browsers and curl do. The first sandbox of a server has no name of its own; its URL is ``endpoint``.
    public let url: String

    let registry: SandboxRegistry
    let snapshotNames: SnapshotNames

    /// The time of the cloud.
    public var clock: Clock { Clock(cloud: self) }

    /// The rules that make requests fail.
    public var faults: Faults { Faults(cloud: self) }

    /// What clients requested, and how it was decided.
    public var journal: Journal { Journal(cloud: self) }

    /// Runs a function with the current state of the sandbox.
    /// - Throws: ``CloudError``, or what the function throws.
    func withSandbox<T>(_ body: (Cloud) async throws -> T) async throws -> T {
        try await CloudError.translating { try await body(try await registry.cloud(of: name)) }
    }
}
