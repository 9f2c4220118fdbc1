import ControlFace
import Fixtures
import Synchronization
import Testing
import VirgaServer

@testable import VirgaTesting

@Suite("The template of a suite's clouds")
struct CloudTemplateTests {
    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    private final class Kept: Sendable {
        let token = Mutex("")
    }

    @Test("is prepared once, even for tests that begin at the same time, and the clouds have names of their own")
    func once() async throws {
        let counter = Counter()
        let template = CloudTemplate(seed: .empty) { _ in counter.value.add(1, ordering: .relaxed) }
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<40 { group.addTask { try await template.withCopy { $0.name } } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 40)
        #expect(counter.value.load(ordering: .relaxed) == 1)
    }

    @Test("whose preparation fails gives its error to each test")
    func failure() async throws {
        struct Mistake: Error {}
        let template = CloudTemplate(seed: .empty) { _ in throw Mistake() }
        for _ in 0..<2 { await #expect(throws: Mistake.self) { try await template.withCopy { _ in } } }
    }

    @Test("with an invalid seed gives the faults of the seed")
    func invalidSeed() async throws {
        let template = CloudTemplate(seed: "{acounts: []}", prepare: nil)
        let error = await #expect(throws: CloudError.self) { try await template.withCopy { _ in } }
        #expect(error?.code == .invalidSeed)
    }

    @Test("keeps the tokens of its preparation valid in every copy")
    func tokens() async throws {
        let kept = Kept()
        let template = CloudTemplate(seed: .personalFileStore) { cloud in
            let token = try await cloud.token("company", user: "alice")
            kept.token.withLock { $0 = token.value }
        }
        for _ in 0..<3 {
            try await template.withCopy { cloud in
                let store = FileStore(endpoint: cloud.endpoint, token: kept.token.withLock { $0 })
                try await store.upload("hello", as: "notes.txt")
            }
        }
    }

    @Test("removes the sandbox and the snapshots of a test after it, also when the test fails")
    func removal() async throws {
        struct Mistake: Error {}
        let template = CloudTemplate(seed: .empty, prepare: nil)
        let cloud = try await template.withCopy { $0 }
        await #expect(throws: Mistake.self) {
            try await template.withCopy { cloud in
                try await cloud.snapshot("mine")
                throw Mistake()
            }
        }
        #expect(!cloud.registry.sandboxes().contains { $0.name == cloud.name })
        #expect(!cloud.registry.snapshots().contains { $0.name.hasSuffix("-mine") })
    }

    @Test("lets as many tests run at the same time as there are places")
    func slots() async throws {
        let slots = Slots(count: 2)
        let (running, most) = (Counter(), Counter())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await slots.withSlot {
                        let now = running.value.add(1, ordering: .relaxed).newValue
                        most.value.max(now, ordering: .relaxed)
                        await Task.yield()
                        running.value.subtract(1, ordering: .relaxed)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((1...2).contains(most.value.load(ordering: .relaxed)))
    }
}
