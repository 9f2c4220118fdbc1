import Fixtures
import NIOCore
import ObjectStore
import SQLite
import Synchronization
import Testing

@testable import ObjectStore

@Suite("A staged body")
struct BodyWriterTests {
    @Test("does not write to the database while it is small")
    func smallStaysInMemory() async throws {
        try await StoreFixture.run { fixture in
            let writer = try await fixture.stage(bytes(pieceSize))
            #expect(writer.size == Int64(pieceSize))
            #expect(try await fixture.count("contents") == 0)
        }
    }

    @Test("is invisible until it is published")
    func invisible() async throws {
        try await StoreFixture.run { fixture in
            let writer = try await fixture.stage(bytes(4 * pieceSize))
            #expect(try await fixture.count("pieces") == 3)
            #expect(try fixture.store.head("key", in: fixture.box).object == nil)
            #expect(try await fixture.store.list(ListQuery(), in: fixture.box).entries == [])
            writer.release()
        }
    }

    @Test("leaves nothing behind when it is discarded or released", arguments: [true, false])
    func discarded(_ explicitly: Bool) async throws {
        try await StoreFixture.run { fixture in
            do {
                let writer = try await fixture.stage(bytes(70 * pieceSize))
                if explicitly { writer.release() }
            }
            #expect(try await fixture.count("pieces") == 0)
            #expect(try await fixture.count("contents") == 0)
        }
    }

    @Test("refuses data after it was discarded or published")
    func closed() async throws {
        try await StoreFixture.run { fixture in
            let discarded = try await fixture.stage([1])
            discarded.release()
            await #expect(throws: ObjectStoreError.bodyDiscarded) { try await discarded.append(ByteBuffer(bytes: [2])) }
            let object = NewObject(key: "key", md5: digest([1]), owner: "1", modified: noon)
            await #expect(throws: ObjectStoreError.bodyDiscarded) {
                try await fixture.store.put(object, in: fixture.box, body: discarded)
            }
            let published = try await fixture.stage([1])
            try await fixture.store.put(object, in: fixture.box, body: published)
            await #expect(throws: ObjectStoreError.bodyDiscarded) {
                try await fixture.store.put(object, in: fixture.box, body: published)
            }
        }
    }

    @Test("is assembled from buffers of any size", arguments: [1000, 65_536, pieceSize, pieceSize + 3, 3 * pieceSize + 1])
    func chunks(_ chunk: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(6 * pieceSize + 11)
            let object = NewObject(key: "key", md5: digest(body), owner: "1", modified: noon)
            try await fixture.store.put(object, in: fixture.box, body: fixture.stage(body, chunk: chunk))
            #expect(try await fixture.get("key") == body)
        }
    }

    @Test("is not changed by later changes to a caller's buffer")
    func copiesOnWrite() async throws {
        try await StoreFixture.run { fixture in
            var buffer = ByteBuffer(bytes: [1, 2, 3])
            let writer = fixture.store.stage(expecting: 6)
            try await writer.append(buffer)
            buffer.setInteger(UInt8(9), at: 0)
            try await writer.append(buffer)
            let object = NewObject(key: "key", md5: [], owner: "1", modified: noon)
            try await fixture.store.put(object, in: fixture.box, body: writer)
            #expect(try await fixture.get("key") == [1, 2, 3, 9, 2, 3])
        }
    }

    @Test("that the process did not publish is removed at the next start")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            let first = try Database(folder: folder)
            let store = try ObjectStore(database: first)
            let bucket = try await store.createBucket(named: "box", account: "1", region: "", created: noon)
            let fixture = StoreFixture(database: first, store: store, box: bucket.id)
            try await fixture.put("kept", bytes(3 * pieceSize))
            let writer = try await fixture.stage(bytes(10 * pieceSize))
            #expect(try await fixture.count("pieces") == 12)
            // Closing the database first prevents the writer from deleting its rows.
            await first.close()
            writer.release()

            let second = try Database(folder: folder)
            let reopened = StoreFixture(database: second, store: try ObjectStore(database: second), box: bucket.id)
            #expect(try await reopened.count("pieces") == 3)
            #expect(try await reopened.count("contents") == 1)
            #expect(try await reopened.get("kept") == bytes(3 * pieceSize))
            try await reopened.put("new", bytes(2 * pieceSize, seed: 5))
            #expect(try await reopened.get("new") == bytes(2 * pieceSize, seed: 5))
            await second.close()
        }
    }

    @Test("waits while all bodies together have too many unwritten pieces, but not for its first three")
    func waitsForRoom() async throws {
        try await StoreFixture.run { fixture in
            let isReleased = Mutex(false)
            fixture.database.submit { _ in
                while !isReleased.withLock({ $0 }) {}
            } completion: { _ in
            }
            let writers = [fixture.store.stage(), fixture.store.stage()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (writer, untilWaiting) in zip(writers, [64, 3]) {
                    group.addTask {
                        for _ in 0..<100 { try await writer.append(ByteBuffer(repeating: 7, count: pieceSize)) }
                    }
                    while !writer.isWaiting { await Task.yield() }
                    #expect(writer.size == untilWaiting * pieceSize)
                }
                isReleased.withLock { $0 = true }
                try await group.waitForAll()
            }
            #expect(writers.map(\.size) == [Int64(100 * pieceSize), Int64(100 * pieceSize)])
            for writer in writers { writer.release() }
        }
    }

    @Test("fails its appends and its put if pieces cannot be written")
    func failure() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.store.write { try $0.execute("PRAGMA max_page_count = 40") }
            await #expect(throws: ObjectStoreError.self) { try await fixture.put("key", bytes(20 * pieceSize)) }
            try await fixture.store.write { try $0.execute("PRAGMA max_page_count = 100000") }
            #expect(try fixture.store.head("key", in: fixture.box).object == nil)
            #expect(try await fixture.count("pieces") == 0)
            try await fixture.put("key", bytes(2 * pieceSize))
            #expect(try await fixture.get("key") == bytes(2 * pieceSize))
        }
    }
}
