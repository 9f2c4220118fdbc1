import Cloud
import HTTPTypes
import Testing

@testable import OSSFace

/// OSS User Guide, "Single-connection bandwidth throttling". The least limit is 100 KB/s.
@Suite("Bandwidth limits of a request to OSS")
struct TrafficLimitTests {
    private static let least: KeyValuePairs = ["x-oss-traffic-limit": "819200"]
    /// Data for half a second.
    private static let body = [UInt8](repeating: 0x61, count: 51_200)

    @Test("slow uploads down")
    func uploads() async throws {
        try await OSSSandbox.run { oss async throws in
            for (method, target) in [(HTTPRequest.Method.put, "/files/a"), (.post, "/files/log?append&position=0")] {
                let begun = ContinuousClock.now
                #expect(try await oss.send(method, target, Self.least, body: Self.body).status == 200)
                #expect(begun.duration(to: .now) >= .milliseconds(500))
            }
        }
    }

    @Test("slow downloads down, and ranges by their own length")
    func reads() async throws {
        try await OSSSandbox.run { oss async throws in
            _ = try await oss.send(.put, "/files/a", body: Self.body)
            let begun = ContinuousClock.now
            let whole = try await oss.send(.get, "/files/a", Self.least)
            #expect(begun.duration(to: .now) >= .milliseconds(500))
            #expect(whole.body == Self.body && whole["Content-Length"] == "51200")
            let part = try await oss.send(.get, "/files/a", ["x-oss-traffic-limit": "819200", "Range": "bytes=0-4"])
            #expect(part.status == 206 && part.text == "aaaaa")
        }
    }
}
