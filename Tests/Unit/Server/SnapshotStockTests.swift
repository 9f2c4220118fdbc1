import Cloud
import ObjectStore
import Synchronization
import Testing

@testable import VirgaServer

@Suite("The stock of copies")
struct SnapshotStockTests {
    struct Failure: Error {}

    private static let kind = SnapshotStock.Kind(snapshot: "a")

    /// Makes copies of nothing, and counts them.
    private final class Maker: Sendable {
        private let made = Mutex<[SnapshotStock.Copy]>([])
        private let arrivals: AsyncStream<Int>
        private let announce: AsyncStream<Int>.Continuation

        init() { (arrivals, announce) = AsyncStream.makeStream() }

        func make() async throws -> SnapshotStock.Copy {
            let cloud = try await Cloud.open(folder: nil, seeds: [])
            let copy = made.withLock { made in
                let copy = SnapshotStock.Copy(cloud: cloud, world: made.count + 1)
                made.append(copy)
                return copy
            }
            announce.yield(copy.world)
            return copy
        }

        /// Waits until a number of copies have been made.
        func wait(for count: Int) async {
            for await number in arrivals where number >= count { return }
        }

        var count: Int { made.withLock { $0.count } }

        func close() async { for copy in made.withLock({ $0 }) { await copy.cloud.close() } }
    }

    @Test("is made for what is used more than once, and each copy is given once")
    func repeated() async throws {
        let (stock, maker) = (SnapshotStock(), Maker())
        _ = try await stock.take(Self.kind) { try await maker.make() }
        #expect(maker.count == 1)
        var given: Set<Int> = []
        for _ in 0..<10 { given.insert(try await stock.take(Self.kind) { try await maker.make() }.world) }
        #expect(given.count == 10)
        await stock.close()
        await maker.close()
    }

    @Test("gives no copy of a snapshot that was cleared")
    func cleared() async throws {
        let (stock, maker) = (SnapshotStock(), Maker())
        for _ in 0..<2 { _ = try await stock.take(Self.kind) { try await maker.make() } }
        await maker.wait(for: 4)
        await stock.clear("a")
        let next = try await stock.take(Self.kind) { try await maker.make() }
        #expect(next.world == 5)
        await stock.close()
        await maker.close()
    }

    @Test("passes the error of a copy on, and tries again with the next")
    func failures() async throws {
        let (stock, maker) = (SnapshotStock(), Maker())
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { _ = try await stock.take(Self.kind) { throw Failure() } }
        }
        _ = try await stock.take(Self.kind) { try await maker.make() }
        await stock.close()
        await maker.close()
    }

    @Test("is not made any more once it is closed")
    func closed() async throws {
        let (stock, maker) = (SnapshotStock(), Maker())
        await stock.close()
        for _ in 0..<3 { _ = try await stock.take(Self.kind) { try await maker.make() } }
        #expect(maker.count == 3)
        await maker.close()
    }
}
