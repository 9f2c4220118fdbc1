import ObjectStore
import Testing

@testable import ObjectStore

@Suite("A write's precondition")
struct PreconditionTests {
    @Test("none-match-any refuses an existing key")
    func ifNoneMatchAny() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", [1], if: .ifNoneMatchAny)
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.put("key", [2], if: .ifNoneMatchAny)
            }
            #expect(try await fixture.get("key") == [1])
        }
    }

    @Test("match requires the object with its entity tag")
    func ifMatch() async throws {
        try await StoreFixture.run { fixture in
            let tag = EntityTag(md5: digest([1]))
            await #expect(throws: ObjectStoreError.noSuchKey) { try await fixture.put("key", [2], if: .ifMatch(tag)) }
            try await fixture.put("key", [1])
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.put("key", [3], if: .ifMatch(EntityTag(md5: tag.md5, partCount: 1)))
            }
            try await fixture.put("key", [2], if: .ifMatch(tag))
            #expect(try await fixture.get("key") == [2])
        }
    }

    @Test("can be a check of the replaced object inside the transaction")
    func replacement() async throws {
        try await StoreFixture.run { fixture in
            let keeps: ReplacementCheck = { record throws(ObjectStoreError) in if record.size == 1 { throw .locked } }
            func put(_ bytes: [UInt8]) async throws {
                let object = NewObject(key: "key", md5: digest(bytes), owner: "1", modified: noon)
                try await fixture.store.put(object, in: fixture.box, body: fixture.stage(bytes), replacing: keeps)
            }
            func copy() async throws {
                try await fixture.put("other", [7])
                let source = CopySource(bucket: fixture.box, key: "other", version: .current)
                try await fixture.store.copy(source, to: fixture.box, replacing: keeps) { original throws(ObjectStoreError) in
                    var record = original
                    record.key = "key"
                    return record
                }
            }
            try await put([1, 2])
            try await put([3])
            await #expect(throws: ObjectStoreError.locked) { try await put([4]) }
            await #expect(throws: ObjectStoreError.locked) { try await copy() }
            #expect(try await fixture.get("key") == [3])
            // With versioning, a write does not replace the object.
            try await fixture.store.configure(fixture.box) { configuration throws(ObjectStoreError) in configuration.versioning = .enabled }
            try await put([5])
            #expect(try await fixture.get("key") == [5])
        }
    }

    @Test("prevents the deletion of an object that was replaced after the check")
    func deletion() async throws {
        try await StoreFixture.run { fixture in
            let judged = EntityTag(md5: digest([1]))
            await #expect(throws: ObjectStoreError.noSuchKey) {
                try await fixture.delete("key", if: .ifMatch(judged))
            }
            try await fixture.put("key", [2])
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.delete("key", if: .ifMatch(judged))
            }
            #expect(try await fixture.get("key") == [2])
            try await fixture.put("key", [1])
            #expect(try await fixture.delete("key", if: .ifMatch(judged)))
            #expect(try await fixture.count("objects") == 0)
        }
    }

    @Test("allows exactly one of several concurrent writers to create an object", arguments: [10, 2 * pieceSize])
    func oneWinner(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            let winners = await withTaskGroup(of: Bool.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        do {
                            try await fixture.put("key", bytes(size, seed: UInt64(writer)), if: .ifNoneMatchAny)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(winners == 1)
            let pieces = try await fixture.count("pieces")
            #expect(pieces == (size > pieceSize ? 2 : 0))
        }
    }

    @Test("keeps a refused body staged, which can be put again")
    func bodySurvives() async throws {
        try await StoreFixture.run { fixture in
            let body = bytes(2 * pieceSize + 1)
            try await fixture.put("key", [1])
            let staged = try await fixture.stage(body)
            let object = NewObject(key: "key", md5: digest(body), owner: "1", modified: noon)
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.store.put(object, in: fixture.box, body: staged, if: .ifNoneMatchAny)
            }
            try await fixture.store.put(object, in: fixture.box, body: staged)
            #expect(try await fixture.get("key") == body)
        }
    }
}
