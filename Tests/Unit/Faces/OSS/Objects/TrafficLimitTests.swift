import Cloud
import HTTPTypes
import Synchronization
import Testing

@testable import OSSFace

/// OSS User Guide, "Single-connection bandwidth throttling". The least limit is 100 KB/s.
@Suite("Bandwidth limits of a request to OSS")
struct TrafficLimitTests {
    private static let least: KeyValuePairs = ["x-oss-traffic-limit": "819200"]
    /// Data for half a second.
    private static let body = [UInt8](repeating: 0x61, count: 51_200)

    /// Records until when transfers wait. Nothing waits.
    private final class Waits: Sendable {
        private let instants = Mutex<[ContinuousClock.Instant]>([])

        func record(_ instant: ContinuousClock.Instant) { instants.withLock { $0.append(instant) } }

        /// Runs a request and returns until when it would have waited, or `nil` if it did not wait.
        func last(in request: () async throws -> Void) async throws -> ContinuousClock.Instant? {
            instants.withLock { $0 = [] }
            try await request()
            return instants.withLock { $0.max() }
        }
    }

    private func run(_ test: (OSSSandbox, Waits) async throws -> Void) async throws {
        try await OSSSandbox.run { oss async throws in
            let waits = Waits()
            var face = oss.face
            face.wait = { waits.record($0) }
            try await test(OSSSandbox(cloud: oss.cloud, face: face), waits)
        }
    }

    @Test("slow uploads down")
    func uploads() async throws {
        try await run { oss, waits async throws in
            for (method, target) in [(HTTPRequest.Method.put, "/files/a"), (.post, "/files/log?append&position=0")] {
                let before = ContinuousClock.now
                let end = try await waits.last { () async throws in
                    #expect(try await oss.send(method, target, Self.least, body: Self.body).status == 200)
                }
                let begun = try #require(end) - .milliseconds(500)
                #expect((before...ContinuousClock.now).contains(begun))
            }
        }
    }

    @Test("slow downloads down, and ranges by their own length")
    func reads() async throws {
        try await run { oss, waits async throws in
            _ = try await oss.send(.put, "/files/a", body: Self.body)
            let parts: [(KeyValuePairs<String, String>, Int, Duration)] = [
                (Self.least, 51_200, .milliseconds(500)),
                (["x-oss-traffic-limit": "819200", "Range": "bytes=0-1023"], 1024, .milliseconds(10)),
            ]
            for (fields, length, duration) in parts {
                let before = ContinuousClock.now
                let end = try await waits.last { () async throws in
                    let answer = try await oss.send(.get, "/files/a", fields)
                    #expect(answer.body == Array(Self.body.prefix(length)))
                    #expect(answer["Content-Length"] == String(length))
                }
                let begun = try #require(end) - duration
                #expect((before...ContinuousClock.now).contains(begun))
            }
        }
    }

    @Test("do not slow down other requests")
    func unlimited() async throws {
        try await run { oss, waits async throws in
            let end = try await waits.last { () async throws in
                #expect(try await oss.send(.put, "/files/a", body: Self.body).status == 200)
                #expect(try await oss.send(.get, "/files/a").status == 200)
            }
            #expect(end == nil)
        }
    }
}
