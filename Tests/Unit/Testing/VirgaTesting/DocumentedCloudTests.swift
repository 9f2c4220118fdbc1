import Fixtures
import Testing
import VirgaTesting

/// The examples of the pages about the library. They import it without `@testable`, as other packages do.
@Suite("A cloud in a test process")
struct DocumentedCloudTests {
    @Test("has an endpoint at a free port of the loopback address while the test runs")
    func example() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let token = try await cloud.token("company", user: "alice")
            let store = FileStore(endpoint: cloud.endpoint, token: token.value)
            try await store.upload("hello", as: "notes.txt")
            try await cloud.journal.expect(
                .role("personal-files-company"), did: "s3:PutObject", on: "arn:aws:s3:::personal-files/*", times: 1)
        }
    }

    @Test("is forked, and goes back to snapshots")
    func sandboxes() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            try await cloud.snapshot("clean")
            try await cloud.fork { copy in
                try await copy.clock.age(.days(30))
                // What happens in the copy leaves the cloud alone.
            }
            try await cloud.restore("clean")
            try await cloud.reset()
        }
    }

    @Test("configures child processes")
    func environment() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let environment = try await cloud.environment
            #expect(environment["AWS_ENDPOINT_URL"] == cloud.endpoint)
            #expect(environment["AWS_ACCESS_KEY_ID"] == "test")
        }
    }
}
