import Testing
import VirgaSwiftTesting
import VirgaTesting

@Suite("A test of another package", .virga(seed: .personalFileStore))
struct ConsumerTests {
    @Test("has a cloud of its own", .virgaFaults(.error("SlowDown", service: "s3")), arguments: 0..<4)
    func cloud(number: Int) async throws {
        let cloud = try Virga.current
        #expect(try await cloud.token("company", user: "alice", fault: .wrongAudience).value.isEmpty == false)
        #expect(try await cloud.faults.list().map(\.applied) == [0])
        try await cloud.journal.expectNever(role: "admin")
    }
}
