import Dispatch
import Fixtures
import SQLite
import Synchronization
import Testing

@testable import ObjectStore

@Suite("Threads that databases share")
struct DatabaseThreadsTests {
    /// The names of jobs in the order in which they ran.
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }

        var all: [String] { names.withLock { $0 } }
    }

    /// Holds the one thread of a pool until all lanes have their jobs.
    private func withHeldThread(_ threads: ThreadTurns, _ body: () -> Void) async {
        let (stream, begun) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        threads.submit { _ in
            begun.yield()
            gate.wait()
        }
        for await _ in stream { break }
        body()
        gate.signal()
    }

    @Test("take turns between lanes, and keep the order within each")
    func turns() async {
        let threads = ThreadTurns(count: 1)
        let (busy, quiet) = (ReadLane(threads), ReadLane(threads))
        let order = Order()
        await withHeldThread(threads) {
            for number in 0..<100 { busy.submit { _ in order.note("busy \(number)") } }
            for number in 0..<3 { quiet.submit { _ in order.note("quiet \(number)") } }
        }
        await busy.close()
        await quiet.close()
        let names = order.all
        #expect(names.filter { $0.hasPrefix("busy") } == (0..<100).map { "busy \($0)" })
        #expect(names.filter { $0.hasPrefix("quiet") } == (0..<3).map { "quiet \($0)" })
        // The three jobs of the quiet lane wait for about as many of the busy one.
        #expect((names.firstIndex(of: "quiet 2") ?? .max) < 8)
        await threads.close()
    }

    @Test("A lane runs as many jobs at once as there are threads, and no more")
    func width() async {
        let threads = ThreadTurns(count: 3)
        let lane = ReadLane(threads)
        let state = Mutex((now: 0, most: 0))
        for _ in 0..<300 {
            lane.submit { _ in
                state.withLock { state in
                    state.now += 1
                    state.most = max(state.most, state.now)
                }
                state.withLock { $0.now -= 1 }
            }
        }
        await lane.close()
        #expect(state.withLock { $0.now == 0 && $0.most <= 3 })
        await threads.close()
    }

    @Test("A closed lane finishes what it has and refuses the rest")
    func closing() async {
        let threads = ThreadTurns(count: 2)
        let lane = ReadLane(threads)
        let done = Atomic(0)
        for _ in 0..<200 { lane.submit { isActive in if isActive { done.add(1, ordering: .relaxed) } } }
        await lane.close()
        #expect(done.load(ordering: .relaxed) == 200)
        let answer = Mutex<Bool?>(nil)
        lane.submit { isActive in answer.withLock { $0 = isActive } }
        #expect(answer.withLock { $0 } == false)
        await lane.close()
        await ReadLane(threads).close()
        await threads.close()
    }

    @Test("Ended threads tell what still comes that they are not active")
    func ended() async {
        for isUsed in [false, true] {
            let threads = ThreadTurns(count: 1)
            if isUsed {
                let lane = ReadLane(threads)
                lane.submit { _ in }
                await lane.close()
            }
            await threads.close()
            let lane = ReadLane(threads)
            let answers = Mutex<[Bool]>([])
            for _ in 0..<3 { lane.submit { isActive in answers.withLock { $0.append(isActive) } } }
            await lane.close()
            #expect(answers.withLock { $0 } == [false, false, false])
        }
    }

    @Test("A database with many writes delays another one by a few only")
    func writers() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            let (busy, quiet) = (try Database(at: folder + "/1", threads: threads), try Database(at: folder + "/2", threads: threads))
            let order = Order()
            // Submitted on both writing threads' databases, so that everything waits before the next commits begin.
            try await busy.write { _ in
            } committed: { _ in
                for number in 0..<2000 {
                    busy.submit { connection in
                        try connection.run("INSERT INTO settings VALUES (?1, x'00')", .text("\(number)"))
                    } completion: { _ in
                        order.note("busy \(number)")
                    }
                }
                for number in 0..<3 {
                    quiet.submit { _ in
                    } completion: { _ in
                        order.note("quiet \(number)")
                    }
                }
            }
            try await busy.write { _ in }
            try await quiet.write { _ in }
            let names = order.all
            #expect(names.filter { $0.hasPrefix("busy") } == (0..<2000).map { "busy \($0)" })
            #expect(names.filter { $0.hasPrefix("quiet") } == (0..<3).map { "quiet \($0)" })
            #expect((names.firstIndex(of: "quiet 2") ?? .max) < 1000)
            await busy.close()
            // The other one still has its threads.
            try await quiet.write { _ in }
            #expect(try await quiet.readInPool { try $0.first("SELECT count(*) FROM settings") { $0.integer(0) } } != nil)
            await quiet.close()
            await threads.close()
            await #expect(throws: StorageError.closed) { try await quiet.write { _ in } }
            await #expect(throws: StorageError.closed) { try await quiet.readInPool { _ in } }
        }
    }

    @Test("Many databases on the same threads lose no write")
    func many() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            let databases = try (0..<20).map { try Database(at: "\(folder)/\($0)", limits: .small, threads: threads) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in databases {
                    for number in 0..<50 {
                        group.addTask {
                            try await database.write { connection in
                                try connection.run("INSERT INTO settings VALUES (?1, x'00')", .text("\(number)"))
                            }
                            _ = try await database.readInPool { try $0.first("SELECT count(*) FROM settings") { $0.integer(0) } }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for database in databases {
                #expect(try database.read { try $0.first("SELECT count(*) FROM settings") { $0.integer(0) } } == 50)
                await database.close()
            }
            await threads.close()
        }
    }
}
