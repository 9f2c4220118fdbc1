import Fixtures
import FoundationEssentials
import Synchronization
import Testing
import VirgaTesting

@testable import VirgaSwiftTesting

@Suite("The current cloud")
struct CurrentCloudTests {
    @Test("does not exist in a test without the trait, and the error names the trait")
    func absent() throws {
        let error = try #require(throws: CloudError.self) { try Virga.current }
        #expect(error.code == .noCurrentCloud)
        #expect(error.description.contains(".virga()"))
    }

    @Test("belongs to a single test as well", .virga(seed: .json5(OpenBucket.seed)))
    func single() async throws {
        let cloud = try Virga.current
        #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 200)
        #expect(cloud.url.hasPrefix("http://\(cloud.name).sandbox.localhost:"))
    }

    @Test("is reached by child tasks", .virga())
    func childTask() async throws {
        let name = try Virga.current.name
        async let other = try Virga.current.name
        #expect(try await other == name)
    }
}

@Suite(
    "A prepared cloud",
    .virga(seed: .json5(OpenBucket.seed)) { cloud in
        Preparations.count.add(1, ordering: .relaxed)
        try await OpenBucket.put("1", "first", at: cloud.endpoint)
        try await cloud.snapshot("first-only")
        try await OpenBucket.put("2", "second", at: cloud.endpoint)
    })
struct PreparedCloudTests {
    @Test("begins with the state at the end of the preparation, which runs once", arguments: 0..<5)
    func base(number: Int) async throws {
        let cloud = try Virga.current
        #expect(try await OpenBucket.get("first", at: cloud.endpoint) == "1")
        #expect(try await OpenBucket.get("second", at: cloud.endpoint) == "2")
        #expect(Preparations.count.load(ordering: .relaxed) == 1)
    }

    @Test("begins with a snapshot that the preparation took", .virga(snapshot: "first-only"))
    func snapshot() async throws {
        let cloud = try Virga.current
        #expect(try await OpenBucket.get("first", at: cloud.endpoint) == "1")
        #expect(try await OpenBucket.get("second", at: cloud.endpoint) == nil)
    }

    @Test("can go back to such a snapshot")
    func restore() async throws {
        let cloud = try Virga.current
        try await cloud.restore("first-only")
        #expect(try await OpenBucket.get("second", at: cloud.endpoint) == nil)
    }

    @Suite("in an inner suite with a seed of its own", .virga(seed: "{}"))
    struct Inner {
        @Test("is the one of the inner suite")
        func inner() async throws {
            let cloud = try Virga.current
            #expect(try await OpenBucket.put("text", "key", at: cloud.endpoint) == 404)
        }
    }
}

private enum Preparations {
    static let count = Atomic<Int>(0)
}

@Suite("A test's traits", .virga(seed: .json5(OpenBucket.seed)), .virgaFaults(Fault(service: "s3", latency: .milliseconds(1))))
struct TraitTests {
    @Test("freeze its clock", .virgaClock(.frozen("2026-01-01T00:00:00Z")))
    func clock() async throws {
        let cloud = try Virga.current
        #expect(try await cloud.clock.mode == .frozen)
        #expect(try await cloud.clock.now.timeIntervalSince1970 == 1_767_225_600)
    }

    @Test("make its requests fail", .virgaFaults(.error("SlowDown", service: "s3", action: "Put*", times: 2)))
    func faults() async throws {
        let cloud = try Virga.current
        let statuses = [
            try await OpenBucket.put("text", "key", at: cloud.endpoint), try await OpenBucket.put("text", "key", at: cloud.endpoint),
            try await OpenBucket.put("text", "key", at: cloud.endpoint),
        ]
        #expect(statuses == [503, 503, 200])
        #expect(try await cloud.faults.list().map(\.applied) == [1, 2])
    }
}

@Suite("The start of a test's cloud")
struct CloudStartTests {
    @Test("is the last snapshot after the last seed, and every change of the clock")
    func parts() {
        let templates = [CloudTemplate(seed: .empty, prepare: nil), CloudTemplate(seed: .empty, prepare: nil)]
        let start = CloudStart([
            .clock(.frozen), .template(templates[0]), .snapshot("a"), .template(templates[1]), .snapshot("b"), .snapshot("c"),
            .clock(.aged(.hours(1))),
        ])
        #expect(start.template === templates[1])
        #expect(start.snapshot == "c")
        #expect(start.clock.count == 2)
        #expect(CloudStart([.template(templates[0]), .snapshot("a"), .template(templates[1])]).snapshot == nil)
    }

    @Test("of a test without a seed is an error that names the trait")
    func withoutSeed() async throws {
        let trait = VirgaTrait(.snapshot("a"))
        let test = try #require(Test.current)
        let error = await #expect(throws: CloudError.self) {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {}
        }
        #expect(error?.code == .noCurrentCloud)
    }

    @Test("with a snapshot that the preparation did not take is an error that lists those it took")
    func unknownSnapshot() async throws {
        let template = CloudTemplate(seed: .empty) { cloud in try await cloud.snapshot("logged-in") }
        let error = await #expect(throws: CloudError.self) { try await template.withCopy(of: "loged-in") { _ in } }
        #expect(error?.message == "There is no snapshot 'loged-in'. There are logged-in. Take it first, with snapshot(\"loged-in\").")
    }
}
