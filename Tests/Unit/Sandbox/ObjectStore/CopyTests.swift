import ObjectStore
import Testing
import WireFormats

@testable import ObjectStore

@Suite("Copying an object")
struct CopyTests {
    private let later = noon + .seconds(60)

    private func copied(
        to key: String, owner: String = "1"
    ) -> @Sendable (ObjectRecord) throws(ObjectStoreError) -> ObjectRecord {
        { [later] (source) throws(ObjectStoreError) in
            var record = source
            (record.key, record.owner, record.modified) = (key, owner, later)
            return record
        }
    }

    @Test("keeps body, tag and attributes", arguments: [0, 10, 3 * pieceSize])
    func keeps(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            let source = try await fixture.put("from", bytes(size))
            let copy = try await fixture.store.copy(
                CopySource(bucket: fixture.box, key: "from"), to: fixture.box,
                make: copied(to: "to", owner: "2"))
            #expect(copy.entityTag == source.entityTag)
            #expect(copy.attributes == source.attributes)
            #expect(copy.size == source.size)
            #expect(copy.owner == "2")
            #expect(copy.modified == later)
            #expect(copy.key == "to")
            #expect(try fixture.store.head("to", in: fixture.box).object == copy)
            #expect(try await fixture.get("to") == bytes(size))
        }
    }

    @Test("shares large bodies, which are kept as long as an object uses them")
    func shares() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("from", bytes(3 * pieceSize))
            try await fixture.store.copy(
                CopySource(bucket: fixture.box, key: "from"), to: fixture.box, make: copied(to: "to"))
            #expect(try await fixture.count("pieces") == 3)
            try await fixture.delete("from")
            #expect(try await fixture.get("to") == bytes(3 * pieceSize))
            try await fixture.delete("to")
            #expect(try await fixture.count("pieces") == 0)
        }
    }

    @Test("onto itself changes only the record", arguments: [10, 3 * pieceSize])
    func ontoItself(_ size: Int) async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(size))
            let attributes = ObjectAttributes(contentType: "image/png", metadata: [.init(name: "a", value: "b")])
            let tag = EntityTag(md5: bytes(16))
            try await fixture.store.copy(
                CopySource(bucket: fixture.box, key: "key"), to: fixture.box
            ) { (source) throws(ObjectStoreError) in
                var record = source
                (record.attributes, record.entityTag) = (attributes, tag)
                record.checksums = [Checksum(.sha1, bytes: bytes(20))]
                return record
            }
            let object = try #require(try fixture.store.open("key", in: fixture.box).object)
            #expect(object.record.attributes == attributes)
            #expect(object.record.entityTag == tag)
            #expect(object.record.checksums == [Checksum(.sha1, bytes: bytes(20))])
            #expect(try await fixture.collect(object.bytes()) == bytes(size))
        }
    }

    @Test("refuses a source that is missing or has changed, and a destination that fails the precondition")
    func refusals() async throws {
        try await StoreFixture.run { fixture in
            await #expect(throws: ObjectStoreError.noSuchKey) {
                try await fixture.store.copy(CopySource(bucket: fixture.box, key: "from"), to: fixture.box, make: copied(to: "to"))
            }
            try await fixture.put("from", [1])
            let source = CopySource(bucket: fixture.box, key: "from", expecting: EntityTag(md5: digest([2])))
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.store.copy(source, to: fixture.box, make: copied(to: "to"))
            }
            try await fixture.put("to", [3])
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.store.copy(
                    CopySource(bucket: fixture.box, key: "from"), to: fixture.box, if: .ifNoneMatchAny, make: copied(to: "to"))
            }
            #expect(try await fixture.get("to") == [3])
        }
    }
}
