import ObjectStore
import Testing

@testable import ObjectStore

@Suite("Concurrent users of a store")
struct ConcurrencyTests {
    @Test("see only whole objects")
    func mixedLoad() async throws {
        try await StoreFixture.run { fixture in
            let sizes = [100, pieceSize, 2 * pieceSize + 7]
            let possible = Set((0..<8).flatMap { task in sizes.map { digest(bytes($0, seed: UInt64(task))) } })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for round in 0..<30 {
                            let key = "shared/\((task + round) % 3)"
                            switch round % 5 {
                            case 0, 1:
                                try await fixture.put(key, bytes(sizes[(task + round) % 3], seed: UInt64(task)))
                            case 2:
                                try await fixture.delete(key)
                            case 3:
                                let page = try await fixture.store.list(ListQuery(prefix: "shared/"), in: fixture.box)
                                #expect(page.entries.count <= 3)
                            default:
                                guard let object = try fixture.store.open(key, in: fixture.box).object else { continue }
                                let body = try await fixture.collect(object.bytes())
                                #expect(digest(body) == object.record.entityTag.md5)
                                #expect(possible.contains(digest(body)))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for number in 0..<3 { try await fixture.delete("shared/\(number)") }
            for table in ["objects", "bodies", "segments", "contents", "pieces"] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
        }
    }
}
