package import Cloud
package import Logging
package import ObjectStore
package import Policy
import Seeds

/// Runs a test with a cloud of its own, in memory unless it is given a folder, which is closed however the test ends.
/// - Parameters:
///   - seed: in JSON5.
///   - dialect: of the seed's policies.
package func withCloud(
    _ seed: String, dialect: PolicyDialect = .aws, folder: String? = nil, newBuckets: BucketConfiguration = .modern,
    issuersOverHTTP: Bool = false, _ test: (Cloud) async throws -> Void
) async throws {
    let seed = try SeedFile(name: "test", text: Array(seed.utf8)).decode(dialect)
    let cloud = try await Cloud.open(folder: folder, seeds: [seed], newBuckets: newBuckets, issuersOverHTTP: issuersOverHTTP)
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
    /// Says what no test expects, and nothing else.
    package static var ofTests: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}
