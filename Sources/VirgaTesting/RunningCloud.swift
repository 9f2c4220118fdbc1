import Cloud
import ObjectStore
import Seeds
import VirgaServer

/// A complete cloud inside a test process, on a free port of the loopback address.
public struct RunningCloud: Sendable {
    /// `http://127.0.0.1:<port>`
    public let endpoint: String
}

/// The defaults of new buckets.
public enum BucketDefaults: Sendable {
    /// ACLs are disabled and public access is blocked, as for every new bucket since April 2023.
    case modern
    /// ACLs are enabled and nothing is blocked, as before April 2023.
    case legacy
}

/// Starts an ephemeral cloud, runs `body` with it, and stops it.
///
/// ```swift
/// try await withCloud(seed: "{ accounts: [ … ] }") { cloud in
///     let client = S3Client(endpoint: cloud.endpoint)
/// }
/// ```
/// - Parameters:
/// - seed: a JSON5 document as in the folder `seed`; without it, the cloud is empty.
///   - bucketDefaults: the defaults of new buckets.
/// - Throws: an error of the seed, of the start or of `body`.
public func withCloud<T: Sendable>(
    seed: String = "{}", bucketDefaults: BucketDefaults = .modern, _ body: @escaping @Sendable (RunningCloud) async throws -> T
) async throws -> T {
    var settings = Settings()
    settings.ports = [0]
    settings.newBuckets = bucketDefaults == .modern ? .modern : .legacy
    settings.seeds = [try SeedFile(name: "seed of the test", text: Array(seed.utf8)).decode()]
    return try await Server(settings: settings).whileRunning { endpoint in
        try await body(RunningCloud(endpoint: endpoint))
    }
}
