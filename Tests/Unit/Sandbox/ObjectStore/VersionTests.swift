import ObjectStore
import Policy
import Testing
import WireFormats

@testable import ObjectStore

@Suite("Versions of an object")
struct VersionTests {
    /// Returns every entry of a listing as `key:size`, or `key:-` for a delete marker, with a star for the latest.
    private func listed(_ fixture: StoreFixture, _ query: VersionQuery = VersionQuery()) async throws -> [String] {
        try await fixture.store.listVersions(query, in: fixture.box).entries.map { entry in
            switch entry {
            case .version(let listed): "\(listed.object.key):\(listed.object.size)\(listed.isLatest ? "*" : "")"
            case .deleteMarker(let listed): "\(listed.object.key):-\(listed.isLatest ? "*" : "")"
            case .commonPrefix(let prefix): prefix
            }
        }
    }

    private func set(_ versioning: Versioning, _ fixture: StoreFixture) async throws {
        try await fixture.store.configure(fixture.box) { $0.versioning = versioning }
    }

    @Test("are kept while versioning is enabled, large ones too")
    func kept() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(1))
            try await set(.enabled, fixture)
            let second = try await fixture.put("key", bytes(3 * pieceSize))
            let third = try await fixture.put("key", bytes(3))
            #expect(!second.version.isNull)
            #expect(second.version.sequence < third.version.sequence)
            #expect(try await listed(fixture) == ["key:3*", "key:786432", "key:1"])
            let old = try #require(
                try fixture.store.open("key", version: .sequence(second.version.sequence), in: fixture.box).object)
            #expect(try await fixture.collect(old.bytes()) == bytes(3 * pieceSize))
            let first = try #require(try fixture.store.head("key", version: .null, in: fixture.box).object)
            #expect(first.size == 1)
            #expect(first.version.isNull)
            #expect(try await fixture.get("key") == bytes(3))
        }
    }

    @Test("a deletion adds a marker; deleting the marker restores the newest version")
    func markers() async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            try await fixture.put("key", bytes(2))
            let terms = DeletionTerms(modified: noon, owner: "1")
            let marker = try await fixture.store.delete(KeyDeletion(key: "key"), in: fixture.box, on: terms)
            let version = try #require(marker.version)
            #expect(marker.isDeleteMarker)
            #expect(marker.existed)
            #expect(try await fixture.get("key") == nil)
            guard case .deleteMarker(version, _) = try fixture.store.head("key", in: fixture.box) else {
                Issue.record("the key leads to the marker")
                return
            }
            #expect(try await fixture.store.list(ListQuery(), in: fixture.box).entries.isEmpty)
            #expect(try await listed(fixture) == ["key:-*", "key:2"])
            await #expect(throws: ObjectStoreError.bucketNotEmpty) { try await fixture.store.deleteBucket(fixture.box) }
            let undone = try await fixture.store.delete(
                KeyDeletion(key: "key", version: .sequence(version.sequence)), in: fixture.box, on: terms)
            #expect(undone == Deletion(existed: true, version: version, isDeleteMarker: true))
            #expect(try await fixture.get("key") == bytes(2))
            #expect(try await listed(fixture) == ["key:2*"])
        }
    }

    @Test("the earlier version becomes current when the current one is deleted")
    func deletedForGood() async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            try await fixture.put("key", bytes(2 * pieceSize))
            let second = try await fixture.put("key", bytes(2))
            #expect(try await fixture.delete("key", version: .sequence(second.version.sequence)))
            #expect(try await !fixture.delete("key", version: .sequence(second.version.sequence)))
            #expect(try await fixture.get("key") == bytes(2 * pieceSize))
            let first = try #require(try fixture.store.head("key", in: fixture.box).object).version
            #expect(try await fixture.delete("key", version: .sequence(first.sequence)))
            #expect(try await listed(fixture).isEmpty)
            for table in ["objects", "versions", "bodies", "segments", "contents", "pieces"] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("a bucket with suspended versioning replaces the null version, at any position")
    func suspended() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", bytes(1))
            try await set(.enabled, fixture)
            try await fixture.put("key", bytes(2))
            try await set(.suspended, fixture)
            let null = try await fixture.put("key", bytes(3))
            #expect(null.version.isNull)
            #expect(try await listed(fixture) == ["key:3*", "key:2"])
            try await fixture.put("key", bytes(4))
            #expect(try await listed(fixture) == ["key:4*", "key:2"])
            #expect(try await fixture.delete("key"))
            #expect(try await listed(fixture) == ["key:-*", "key:2"])
            #expect(try await fixture.delete("key", version: .null))
            #expect(try await listed(fixture) == ["key:2*"])
            #expect(try await fixture.count("bodies") == 1)
        }
    }

    @Test("a listing continues after a version or a key", arguments: 1...7)
    func pages(_ limit: Int) async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            for key in ["a", "dir/x", "dir/y", "z"] {
                for size in 1...3 { try await fixture.put(key, bytes(size)) }
                try await fixture.delete(key)
            }
            try await fixture.put("z", bytes(9))
            let whole = try await listed(fixture, VersionQuery(delimiter: "/"))
            #expect(whole == ["a:-*", "a:3", "a:2", "a:1", "dir/", "z:9*", "z:-", "z:3", "z:2", "z:1"])
            var found: [String] = []
            var query = VersionQuery(delimiter: "/", limit: limit)
            while true {
                let page = try await fixture.store.listVersions(query, in: fixture.box)
                found += try await listed(fixture, query)
                guard page.isTruncated else { break }
                query.keyMarker = page.lastKey
                query.versionMarker = page.lastVersion.map { .sequence($0.sequence) }
            }
            #expect(found == whole)
        }
    }

    @Test("preconditions do not see an object under a marker")
    func preconditions() async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            let first = try await fixture.put("key", bytes(1))
            await #expect(throws: ObjectStoreError.preconditionFailed) {
                try await fixture.put("key", bytes(2), if: .ifNoneMatchAny)
            }
            try await fixture.delete("key")
            await #expect(throws: ObjectStoreError.noSuchKey) {
                try await fixture.put("key", bytes(2), if: .ifMatch(first.entityTag))
            }
            await #expect(throws: ObjectStoreError.noSuchKey) { try await fixture.put("key", bytes(2), if: .ifMatchAny) }
            try await fixture.put("key", bytes(2), if: .ifNoneMatchAny)
            #expect(try await listed(fixture) == ["key:2*", "key:-", "key:1"])
        }
    }

    @Test("a lock protects a version, not a key, and does not prevent other deletions")
    func locked() async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            let kept = try await fixture.put("kept", bytes(1))
            let other = try await fixture.put("other", bytes(2))
            try await fixture.store.update("kept", in: fixture.box) { $0.properties.lock.legalHold = true }
            let terms = DeletionTerms(modified: noon, owner: "1") { (record) throws(ObjectStoreError) in
                if record.properties.lock.legalHold == true { throw .locked }
            }
            let done = try await fixture.store.delete(
                [
                    KeyDeletion(key: "kept", version: .sequence(kept.version.sequence)),
                    KeyDeletion(key: "other", version: .sequence(other.version.sequence)), KeyDeletion(key: "kept"),
                ], in: fixture.box, on: terms)
            #expect(done[0] == .failure(.locked))
            #expect(try done[1].get().existed)
            #expect(try done[2].get().isDeleteMarker)
            #expect(try await listed(fixture) == ["kept:-*", "kept:1"])
        }
    }

    @Test("keep their properties, current or not")
    func updated() async throws {
        try await StoreFixture.run { fixture in
            try await set(.enabled, fixture)
            let first = try await fixture.put("key", bytes(1))
            try await fixture.put("key", bytes(2))
            let tags = [Tag(key: "a", value: "1"), Tag(key: "b", value: "")]
            let list = AccessControlList(grants: [.init(.group("all"), .read), .init(.canonicalUser("me"), .fullControl)])
            let retention = ObjectLock.Retention(mode: .compliance, until: noon + .seconds(60), declared: noon)
            let encryption = ObjectEncryption(
                scheme: .customer, context: "c", usesBucketKey: true, customerKeyMD5: "m", customerKeyCheck: [1, 2, 3])
            for selector in [VersionSelector.current, .sequence(first.version.sequence)] {
                let updated = try await fixture.store.update("key", version: selector, in: fixture.box) { record in
                    record.properties = ObjectProperties(
                        tags: tags, accessControl: list, lock: ObjectLock(retention: retention, legalHold: false),
                        encryption: encryption)
                    record.attributes.storageClass = "GLACIER"
                }
                #expect(try fixture.store.head("key", version: selector, in: fixture.box).object == updated)
                #expect(updated.properties.tags == tags)
                #expect(updated.properties.accessControl == list)
                #expect(updated.properties.lock.retention == retention)
                #expect(updated.properties.encryption == encryption)
            }
            #expect(try await listed(fixture) == ["key:2*", "key:1"])
            #expect(try await fixture.get("key") == bytes(2))
        }
    }
}
