import Cloud
import ObjectStore
import Seeds
import VirgaServer

/// A whole cloud inside a test process, on a free port of the loopback address.
public struct RunningCloud: Sendable {
    /// `http://127.0.0.1:<port>`
    public let endpoint: String
}

/// How a bucket is made where its creator says nothing else.
public enum BucketDefaults: Sendable {
    /// Lists of access control are off and public access is blocked, as for every new bucket since April 2023.
    case modern
    /// Lists of access control count and nothing is blocked, as before.
    case legacy
}

/// Starts an ephemeral cloud, runs `body` against it, and takes it down again.
///
/// ```swift
/// try await withCloud(seed: "{ accounts: [ … ] }") { cloud in
///     let client = S3Client(endpoint: cloud.endpoint)
/// }
/// ```
/// - Parameters:
///   - seed: a JSON5 document as in the folder `seed`; an empty cloud without.
///   - bucketDefaults: how buckets are made.
/// - Throws: what the seed, the start or `body` throws.
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
