import Fixtures
import Synchronization
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("A moved clock")
struct ClockMoveTests {
    private static let future = Timestamp(seconds: 4_000_000_000)
    private static let past = Timestamp(seconds: 1_000_000_000)

    private struct NotAhead: Error {}

    @Test("is frozen at its present time or at a given one", arguments: [nil, past, future])
    func freeze(at time: Timestamp?) async throws {
        try await withSandbox { cloud async throws in
            let before = cloud.clock.now
            try await cloud.change(clock: .freeze(at: time))
            let frozen = cloud.clock.now
            if let time {
                #expect(frozen == time)
            } else {
                #expect(frozen >= before)
                #expect(frozen <= cloud.clock.wall)
            }
            #expect(cloud.clock.mode == .frozen(at: frozen))
            // The call has waited for the next second of real time.
            #expect(cloud.clock.wall.seconds > before.seconds)
            #expect(cloud.clock.now == frozen)
        }
    }

    @Test("runs on from the time that was set")
    func set() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.change(clock: .set(Self.future))
            // The call has waited for the next second of real time.
            #expect(cloud.clock.now > Self.future)
            guard case .ahead(let milliseconds) = cloud.clock.mode else { throw NotAhead() }
            let (now, wall) = cloud.clock.reading
            #expect(now.milliseconds - wall.milliseconds == milliseconds)
        }
    }

    @Test("returns to real time")
    func resume() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.change(clock: .set(Self.future))
            try await cloud.change(clock: .resume)
            #expect(cloud.clock.mode == .running)
            let (now, wall) = cloud.clock.reading
            #expect(now == wall)
        }
    }

    @Test("keeps its time in the data folder until a reset", arguments: [ClockChange.freeze(at: past), .set(past)])
    func persistence(change: ClockChange) async throws {
        try await withTemporaryFolder { folder in
            let mode = try await withSandbox(folder: folder) { cloud async throws in
                try await cloud.change(clock: change)
                return cloud.clock.mode
            }
            try await withSandbox(folder: folder) { cloud async throws in
                #expect(cloud.clock.mode == mode)
                let begun = cloud.clock.wall
                #expect(cloud.clock.now < begun)
                try await cloud.reset()
                #expect(cloud.clock.mode == .running)
                #expect(cloud.objects.allBuckets.allSatisfy { $0.created >= begun })
            }
            try await withSandbox(folder: folder) { cloud in #expect(cloud.clock.mode == .running) }
        }
    }

    @Test("ages in frozen time, and new values are not aged")
    func aging() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.change(clock: .freeze(at: Self.past))
            try await cloud.age(by: .seconds(3600))
            #expect(cloud.clock.now == Self.past + .seconds(1))
            #expect(cloud.clock.aging(since: Self.past) == 3600)
            #expect(cloud.clock.aging(since: cloud.clock.now) == 0)
        }
    }

    @Test("undoes the agings after the time that it is set back to, and no others")
    func undoing() async throws {
        try await withSandbox { cloud async throws in
            try await cloud.change(clock: .freeze(at: Self.past))
            try await cloud.age(by: .seconds(1))
            try await cloud.change(clock: .freeze(at: Self.future))
            try await cloud.age(by: .seconds(10))
            #expect(cloud.clock.aging(since: Self.past) == 11)
            try await cloud.change(clock: .resume)
            #expect(cloud.clock.aging(since: Self.past) == 1)
            #expect(cloud.clock.aging(since: cloud.clock.now) == 0)
        }
    }

    @Test("returns its time at the real time when a client signed")
    func moments() {
        @Sendable func wall(_ second: Int64) -> Timestamp { Timestamp(seconds: second) }
        let clock = SandboxClock(
            ages: [],
            moves: [
                ClockMove(wall: wall(100), mode: .ahead(milliseconds: 7_200_000)),
                ClockMove(wall: wall(200), mode: .frozen(at: wall(50))), ClockMove(wall: wall(300), mode: .running),
            ]
        ) { wall(1000) }
        let moments = [99, 100, 101, 200, 201, 300, 301].map { clock.moment(ofWall: wall($0)).seconds }
        #expect(moments == [99, 100, 7301, 7400, 50, 50, 301])
        #expect(clock.now == wall(1000))
    }

    @Test("drops moves that are older than any signature in use")
    func history() {
        let old = ClockMove(wall: Timestamp(seconds: 0), mode: .ahead(milliseconds: 1000))
        let day = ClockMove(wall: Timestamp(seconds: 86_400), mode: .running)
        let now = ClockMove(wall: Timestamp(seconds: 86_400 * 9 + 1), mode: .frozen(at: Timestamp(seconds: 0)))
        #expect(ClockMove.history([old, day], and: now) == [day, now])
        #expect(ClockMove.history([], and: now) == [now])
    }

    @Test(
        "encodes its mode as one word",
        arguments: [
            ClockMode.running, .frozen(at: past), .frozen(at: Timestamp(milliseconds: 1)), .ahead(milliseconds: 1),
            .ahead(milliseconds: -1),
            .frozen(at: future), .ahead(milliseconds: -1_000_000_000_000),
        ])
    func words(mode: ClockMode) {
        #expect(ClockMode(word: mode.word) == mode)
    }
}
