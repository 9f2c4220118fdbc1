import Fixtures
import FoundationEssentials
import Testing
import VirgaTesting

@Suite("The clock of a cloud")
struct ClockTests {
    private let newYear = Date(timeIntervalSince1970: 1_767_225_600)

    @Test("stops at a date, runs on from one, and returns to real time")
    func modes() async throws {
        try await withCloud { [newYear] cloud in
            #expect(try await cloud.clock.mode == .running)
            try await cloud.clock.freeze(at: "2026-01-01T00:00:00Z")
            #expect(try await cloud.clock.now == newYear)
            #expect(try await cloud.clock.mode == .frozen)
            try await cloud.clock.set(to: newYear)
            #expect(try await cloud.clock.now > newYear)
            #expect(try await cloud.clock.mode == .set)
            try await cloud.clock.resume()
            #expect(try await cloud.clock.mode == .running)
        }
    }

    @Test("makes tokens older")
    func ages() async throws {
        try await withCloud(seed: .personalFileStore) { cloud in
            let store = FileStore(endpoint: cloud.endpoint, token: try await cloud.token("company", user: "alice").value)
            try await cloud.clock.age(.hours(2))
            await #expect(throws: (any Error).self) { try await store.upload("text", as: "notes.txt") }
            try await cloud.journal.expect(did: "AssumeRoleWithWebIdentity", status: 400, times: 1)
        }
    }

    @Test(
        "rejects texts that are not dates",
        arguments: ["", "tomorrow", "2026-13-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-01-01T00:00:00Z"])
    func invalidDates(text: String) async throws {
        try await withCloud { cloud in
            let error = await #expect(throws: CloudError.self) { try await cloud.clock.freeze(at: text) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message == "'\(text)' must be a date from 1970 to 9999, such as \"2026-01-01T00:00:00Z\".")
            await #expect(throws: CloudError.self) { try await cloud.clock.set(to: text) }
        }
    }

    @Test("rejects dates that no format can represent", arguments: [Double.infinity, -.infinity, .nan, -1, 1e12])
    func farDates(seconds: Double) async throws {
        try await withCloud { cloud in
            await #expect(throws: CloudError.self) { try await cloud.clock.set(to: Date(timeIntervalSince1970: seconds)) }
        }
    }

    @Test(
        "rejects agings that are not whole seconds from one on",
        arguments: [Duration.zero, .seconds(-1), .milliseconds(1500), .days(50_000)])
    func invalidAges(duration: Duration) async throws {
        try await withCloud { cloud in
            let error = await #expect(throws: CloudError.self) { try await cloud.clock.age(duration) }
            #expect(error?.code == .invalidArgument)
        }
    }
}
