import Testing
import VirgaTesting

/// The examples of the pages about the library.
@Suite("A cloud in a test process")
struct DocumentedCloudTests {
    @Test("has an endpoint at a free port of the loopback address while the test runs")
    func example() async throws {
        try await withCloud(seed: #"{accounts: [{id: "111122223333", rootKeys: [{id: "test", secret: "test"}]}]}"#) { cloud in
            #expect(cloud.endpoint.hasPrefix("http://127.0.0.1:"))
        }
    }
}
