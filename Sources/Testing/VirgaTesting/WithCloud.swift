import Cloud
import ObjectStore
import Seeds
import VirgaServer

/// The defaults of new buckets.
public enum BucketDefaults: Sendable {
    /// ACLs are disabled and public access is blocked, as for every new bucket since April 2023.
    case modern
    /// ACLs are enabled and nothing is blocked, as before April 2023.
    case legacy
}

/// Starts an ephemeral cloud in this process, runs `body` with it, and stops it.
///
/// ```swift
/// try await withCloud(seed: .personalFileStore) { cloud in
///     let client = S3Client(endpoint: cloud.endpoint)
/// }
/// ```
///
/// Each call starts a server of its own, on a free port of the loopback address.
/// - Parameters:
///   - seed: what the cloud contains.
///   - bucketDefaults: the defaults of new buckets.
/// - Throws: ``CloudError`` if the seed is invalid or the server cannot start, or what `body` throws.
@discardableResult
public func withCloud<T: Sendable>(
    seed: CloudSeed = .empty, bucketDefaults: BucketDefaults = .modern, _ body: @escaping @Sendable (RunningCloud) async throws -> T
) async throws -> T {
    try await CloudError.translating {
        var settings = Settings.ofTests
        settings.newBuckets = bucketDefaults == .modern ? .modern : .legacy
        settings.seeds = [try seed.file().decode()]
        return try await Server(settings: settings).whileRunning { endpoint, registry in
            try await body(
                RunningCloud(name: "default", endpoint: endpoint, url: endpoint, registry: registry, snapshotNames: SnapshotNames()))
        }
    }
}

/// Starts an ephemeral cloud in this process, runs `body` with it, and stops it.
/// - Parameters:
///   - seed: a JSON5 document.
///   - bucketDefaults: the defaults of new buckets.
/// - Throws: ``CloudError`` if the seed is invalid or the server cannot start, or what `body` throws.
@discardableResult
public func withCloud<T: Sendable>(
    seed: String, bucketDefaults: BucketDefaults = .modern, _ body: @escaping @Sendable (RunningCloud) async throws -> T
) async throws -> T {
    try await withCloud(seed: .json5(seed), bucketDefaults: bucketDefaults, body)
}

extension Settings {
    /// A server on a free port, whose sandboxes stay open: an evicted one would lose its journal and its rules for errors.
    static var ofTests: Settings {
        var settings = Settings()
        settings.ports = [0]
        settings.sandboxes.count = 100_000
        settings.sandboxes.openCount = 100_000
        settings.sandboxes.idle = 100 * 365 * 86_400
        settings.sandboxes.ports = nil
        settings.sandboxes.journalCapacity = 8 << 20
        return settings
    }
}
