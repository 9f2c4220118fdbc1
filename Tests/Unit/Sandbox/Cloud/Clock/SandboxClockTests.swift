import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The sandbox's clock")
struct SandboxClockTests {
    private func clock(_ ages: [(declared: Int64, seconds: Int64)], now: Int64 = 10_000) -> SandboxClock {
        SandboxClock(ages: ages.map { .init(declared: $0.declared, seconds: $0.seconds) }) { Timestamp(seconds: now) }
    }

    @Test(
        "ages what was issued before or in the second of an aging, not what came after",
        arguments: [
            (99, 3600), (100, 3600), (101, 0),
        ] as [(Int64, Int64)])
    func oneAge(second: Int64, aging: Int64) {
        let clock = clock([(100, 3600)])
        #expect(clock.aging(since: Timestamp(seconds: second)) == aging)
        #expect(clock.aging(since: Timestamp(milliseconds: second * 1000 + 999)) == aging)
    }

    @Test("sums the agings after a time", arguments: [(50, 111), (150, 110), (250, 100), (350, 0)] as [(Int64, Int64)])
    func severalAges(second: Int64, aging: Int64) {
        let stamp = Timestamp(seconds: second)
        let clock = clock([(100, 1), (200, 10), (300, 100)])
        #expect(clock.aging(since: stamp) == aging)
        #expect(clock.effective(stamp) == Timestamp(seconds: second - aging))
    }

    @Test("shows real time, aged or not")
    func now() {
        #expect(clock([(100, 3600)], now: 200).now == Timestamp(seconds: 200))
    }

    @Test(
        "reaches an expiry earlier by the agings since the issue",
        arguments: [
            (issued: 90, expiry: 10_061, hasExpired: false), (90, 10_060, true), (200, 10_001, false), (200, 10_000, true),
        ] as [(issued: Int64, expiry: Int64, hasExpired: Bool)])
    func expiry(issued: Int64, expiry: Int64, hasExpired: Bool) {
        let clock = clock([(100, 60)])
        #expect(clock.hasExpired(Timestamp(seconds: expiry), issuedAt: Timestamp(seconds: issued)) == hasExpired)
    }

    @Test(
        "makes an expiry earlier by the agings since the issue",
        arguments: [(50, 889), (150, 890), (250, 900), (350, 1000)] as [(Int64, Int64)]
    )
    func effectiveExpiry(issued: Int64, effective: Int64) {
        let clock = clock([(100, 1), (200, 10), (300, 100)])
        let expiry = clock.effectiveExpiry(Timestamp(seconds: 1000), issuedAt: Timestamp(seconds: issued))
        #expect(expiry == Timestamp(seconds: effective))
    }

    @Test("finds the timestamp of an effective time", arguments: [50, 100, 150, 250, 300, 301] as [Int64])
    func stamp(second: Int64) {
        let clock = clock([(100, 1), (200, 10), (300, 100)])
        let stamp = Timestamp(seconds: second)
        #expect(clock.stamp(ofEffective: clock.effective(stamp)) == stamp)
    }

    @Test("ends an aging when new values are no longer affected by it")
    func aging() async throws {
        try await withSandbox { cloud async throws in
            let before = cloud.clock.now
            try await cloud.age(by: .seconds(3600))
            #expect(cloud.clock.aging(since: before) == 3600)
            #expect(cloud.clock.aging(since: cloud.clock.now) == 0)
            let between = cloud.clock.now
            try await cloud.age(by: .seconds(60))
            #expect(cloud.clock.aging(since: before) == 3660)
            #expect(cloud.clock.aging(since: between) == 60)
        }
    }

    @Test("keeps its agings in the data folder until a reset")
    func persistence() async throws {
        try await withTemporaryFolder { folder in
            let stamp = try await withSandbox(folder: folder) { cloud async throws in
                let stamp = cloud.clock.now
                try await cloud.age(by: .seconds(3600))
                return stamp
            }
            try await withSandbox(folder: folder) { cloud async throws in
                #expect(cloud.clock.aging(since: stamp) == 3600)
                try await cloud.reset()
                #expect(cloud.clock.aging(since: stamp) == 0)
            }
            try await withSandbox(folder: folder) { cloud in #expect(cloud.clock.aging(since: stamp) == 0) }
        }
    }
}
