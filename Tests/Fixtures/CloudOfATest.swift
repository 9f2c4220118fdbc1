package import Cloud
package import Logging
package import ObjectStore
package import Policy
import Seeds

/// Runs a test with its own sandbox and closes the sandbox afterwards.
/// - Parameters:
///   - - seed: The seed, in JSON5.
///   - - dialect: The dialect of the seed's policies.
///   - - folder: The data folder; without it, the sandbox is in memory.
package func withCloud(
    _ seed: String, dialect: PolicyDialect = .aws, folder: String? = nil, newBuckets: BucketConfiguration = .modern,
    issuersOverHTTP: Bool = false, _ test: (Cloud) async throws -> Void
) async throws {
    let seed = try SeedFile(name: "test", text: Array(seed.utf8)).decode(dialect)
    let cloud = try await Cloud.openForTest(folder: folder, seeds: [seed], newBuckets: newBuckets, issuersOverHTTP: issuersOverHTTP)
    let outcome: Result<Void, any Error>
    do {
        try await test(cloud)
        outcome = .success(())
    } catch {
        outcome = .failure(error)
    }
    await cloud.close()
    try outcome.get()
}

extension Logger {
    /// A logger that logs only critical messages, which no test expects.
    package static var ofTests: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}
