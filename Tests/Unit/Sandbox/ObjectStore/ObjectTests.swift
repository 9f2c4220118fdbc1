import NIOCore
import ObjectStore
import Testing
import WireFormats

@testable import ObjectStore

@Suite("Objects")
struct ObjectTests {
    @Test(
        "return the body that was put, for every size near the piece size",
        arguments: [0, 1, 1024, pieceSize - 1, pieceSize, pieceSize + 1, 2 * pieceSize, 5 * pieceSize + 17])
    func roundTrip(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(size)
            let record = try await fixture.put("key", body)
            #expect(record.size == Int64(size))
            #expect(try fixture.store.head("key", in: fixture.box).object == record)
            let object = try #require(try fixture.store.open("key", in: fixture.box).object)
            #expect(object.record == record)
            #expect(object.parts == [])
            #expect((object.inlineBody != nil) == (size <= pieceSize))
            #expect(try await fixture.collect(object.bytes()) == body)
        }
    }

    @Test("keep all properties that their writer declared")
    func attributes() async throws {
        try await StoreFixture.run { fixture in
            let attributes = ObjectAttributes(
                contentType: "text/plain", contentEncoding: "gzip", contentDisposition: "inline", contentLanguage: "de",
                cacheControl: "no-store", expires: "never", storageClass: "GLACIER",
                metadata: [.init(name: "b", value: "1"), .init(name: "a", value: ""), .init(name: "é", value: "x\u{0}y")])
            let checksums = [
                Checksum(.crc32, bytes: [1, 2, 3, 4]), Checksum(.sha256, coverage: .composite, bytes: bytes(32)),
            ]
            let object = NewObject(
                key: "key", attributes: attributes, md5: digest([1]), checksums: checksums, owner: "123456789012", modified: noon)
            let record = try await fixture.store.put(object, in: fixture.box, body: fixture.stage([1]))
            #expect(record.attributes == attributes)
            #expect(record.checksums == checksums)
            #expect(record.owner == "123456789012")
            #expect(try fixture.store.head("key", in: fixture.box).object == record)
            #expect(try fixture.store.open("key", in: fixture.box).object?.record == record)
        }
    }

    @Test("are distinguished by the bytes of their keys")
    func keysAreBytes() async throws {
        try await StoreFixture.run { fixture in
            let composed = "caf\u{e9}"
            let decomposed = "cafe\u{301}"
            try await fixture.put(composed, [1])
            try await fixture.put(decomposed, [2])
            try await fixture.put("a\u{0}b", [3])
            #expect(try await fixture.get(composed) == [1])
            #expect(try await fixture.get(decomposed) == [2])
            #expect(try await fixture.get("a\u{0}b") == [3])
            #expect(try await fixture.get("a") == nil)
        }
    }

    @Test(
        "are replaced as a whole, and the earlier body is deleted",
        arguments: [(10, 20), (10, 2 * pieceSize), (2 * pieceSize, 10), (2 * pieceSize, 3 * pieceSize), (10, 0)])
    func overwritten(_ before: Int, _ after: Int) async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(before))
            try await fixture.put("key", bytes(after, seed: 2))
            #expect(try await fixture.get("key") == bytes(after, seed: 2))
            #expect(try await fixture.count("objects") == 1)
            #expect(try await fixture.count("pieces") == Int64(after > pieceSize ? after / pieceSize : 0))
            #expect(try await fixture.count("bodies") == (0 < after && after <= pieceSize ? 1 : 0))
        }
    }

    @Test("are deleted once", arguments: [10, 3 * pieceSize])
    func deleted(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(size))
            #expect(try await fixture.delete("key"))
            #expect(try await !fixture.delete("key"))
            #expect(try fixture.store.open("key", in: fixture.box).object == nil)
            for table in ["objects", "bodies", "segments", "contents", "pieces"] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("are deleted together, each with its own result")
    func deletedTogether() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("a", [1])
            try await fixture.put("c", bytes(2 * pieceSize))
            let deletions = ["a", "b", "c", "a"].map { KeyDeletion(key: $0) }
            let done = try await fixture.store.delete(
                deletions, in: fixture.box, on: DeletionTerms(modified: noon, owner: "1"))
            #expect(try done.map { try $0.get().existed } == [true, false, true, false])
            #expect(try await fixture.count("objects") == 0)
            #expect(try await fixture.count("pieces") == 0)
        }
    }

    @Test("return ranges", arguments: [100, 3 * pieceSize + 100])
    func ranges(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(size)
            try await fixture.put("key", body)
            let edges = [0, 1, 99, pieceSize - 1, pieceSize, pieceSize + 1, size - 1, size, size + 1]
            for start in edges {
                for end in edges where start <= end {
                    let wanted = (start..<end).clamped(to: 0..<size)
                    #expect(try await fixture.get("key", Int64(start)..<Int64(end)) == Array(body[wanted]), "\(start)..<\(end)")
                }
            }
        }
    }

    @Test("are read in buffers of at most one piece")
    func buffers() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(2 * pieceSize + 5))
            let object = try #require(try fixture.store.open("key", in: fixture.box).object)
            var sizes: [Int] = []
            for try await buffer in object.bytes(in: 10..<Int64(2 * pieceSize + 5)) { sizes.append(buffer.readableBytes) }
            #expect(sizes == [pieceSize - 10, pieceSize, 5])
        }
    }

    @Test("remain readable for open readers when they are overwritten, deleted or reset", arguments: 0..<3)
    func pinned(_ way: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(8 * pieceSize)
            try await fixture.put("key", body)
            var object = try fixture.store.open("key", in: fixture.box).object
            let opened = try #require(object)
            object = nil
            var iterator: ObjectBytes.AsyncIterator? = opened.bytes().makeAsyncIterator()
            var read = try await Array(#require(iterator?.next()).readableBytesView)
            switch way {
            case 0: try await fixture.put("key", [1])
            case 1: try await fixture.delete("key")
            default: try await fixture.store.reset()
            }
            #expect(try await fixture.count("pieces") == 8)
            while let buffer = try await iterator?.next() { read.append(contentsOf: buffer.readableBytesView) }
            iterator = nil
            #expect(read == body)
        }
    }

    @Test("free the space of a deleted one when its last reader ends")
    func unpinned() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(2 * pieceSize))
            do {
                let object = try #require(try fixture.store.open("key", in: fixture.box).object)
                try await fixture.delete("key")
                #expect(try await fixture.collect(object.bytes()).count == 2 * pieceSize)
            }
            #expect(try await fixture.count("pieces") == 0)
        }
    }
}
