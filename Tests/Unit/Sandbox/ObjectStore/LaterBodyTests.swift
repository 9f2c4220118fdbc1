import NIOCore
import Testing

@testable import ObjectStore

/// While there is no memory for whole bodies.
@Suite("Bodies that are read in pieces")
struct LaterBodyTests {
    private func read(_ object: StoredObject, _ range: Range<Int64>? = nil, by size: Int) async throws -> (bytes: [UInt8], longest: Int) {
        var pieces = object.bytes(in: range).makeAsyncIterator()
        var (bytes, longest): ([UInt8], Int) = ([], 0)
        while let piece = try await pieces.next(upTo: size, readingAhead: false) {
            bytes += piece.readableBytesView
            longest = max(longest, piece.readableBytes)
        }
        return (bytes, longest)
    }

    @Test(
        "are the bytes of the object, in pieces no longer than asked for", arguments: [100_000, pieceSize, 2 * pieceSize + 5],
        [1000, 8192, 300_000])
    func pieces(length: Int, size: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(length)
            try await fixture.put("key", body)
            let object = try #require(try fixture.store.open("key", in: fixture.box, withBodyUpTo: 16_384).object)
            #expect(object.inlineBody == nil)
            #expect(object.isBodyLater == (length <= pieceSize))
            let whole = try await read(object, by: size)
            #expect(whole.bytes == body)
            #expect(whole.longest <= size)
            let part = try await read(object, 777..<90_001, by: size)
            #expect(part.bytes == Array(body[777..<90_001]))
            #expect(try await fixture.collect(object.bytes()) == body)
        }
    }

    @Test("are continued by a copy of what is left", arguments: [100_000, 2 * pieceSize + 5])
    func copies(length: Int) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(length)
            try await fixture.put("key", body)
            var left = try #require(try fixture.store.open("key", in: fixture.box, withBodyUpTo: 16_384).object).bytes().makeAsyncIterator()
            var read: [UInt8] = []
            while true {
                var copy = left
                guard let piece = try await copy.next(upTo: 8192, readingAhead: read.count < 50_000) else { break }
                read += piece.readableBytesView
                left = copy
            }
            #expect(read == body)
        }
    }

    @Test("come with the record if they are short enough")
    func short() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(16_384))
            let object = try #require(try fixture.store.open("key", in: fixture.box, withBodyUpTo: 16_384).object)
            #expect(object.inlineBody != nil)
            #expect(!object.isBodyLater)
        }
    }

    @Test("end with an error when the object is replaced or deleted, even by one of the same length", arguments: [true, false])
    func changed(isDeleted: Bool) async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(100_000)
            try await fixture.put("key", body)
            let object = try #require(try fixture.store.open("key", in: fixture.box, withBodyUpTo: 16_384).object)
            var pieces = object.bytes().makeAsyncIterator()
            let first = try await pieces.next(upTo: 8192, readingAhead: false)
            #expect(first.map { Array($0.readableBytesView) } == Array(body[..<8192]))
            if isDeleted { try await fixture.delete("key") } else { try await fixture.put("key", bytes(100_000, seed: 2)) }
            await #expect(throws: ObjectStoreError.self) { _ = try await pieces.next(upTo: 8192, readingAhead: false) }
        }
    }

    @Test("stay readable when another object is replaced")
    func unchanged() async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(100_000)
            try await fixture.put("key", body)
            try await fixture.put("other", body)
            let object = try #require(try fixture.store.open("key", in: fixture.box, withBodyUpTo: 16_384).object)
            try await fixture.put("other", bytes(10))
            #expect(try await read(object, by: 8192).bytes == body)
        }
    }
}
