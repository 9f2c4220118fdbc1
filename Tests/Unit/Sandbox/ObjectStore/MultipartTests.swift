import ObjectStore
import Testing
import WireFormats

@testable import ObjectStore

@Suite("A multipart upload")
struct MultipartTests {
    private static let partSize = 5 << 20

    private func start(_ fixture: StoreFixture, key: String = "big") async throws -> MultipartUpload {
        try await fixture.store.createUpload(
            NewUpload(
                key: key, attributes: ObjectAttributes(contentType: "a/b", metadata: [.init(name: "n", value: "v")]), owner: "1",
                initiated: noon, checksumAlgorithm: .crc32, checksumCoverage: .composite), in: fixture.box)
    }

    private func put(_ number: Int, _ body: [UInt8], of upload: MultipartUpload, _ fixture: StoreFixture) async throws {
        let part = NewPart(
            number: number, md5: digest(body), checksums: [Checksum(.crc32, bytes: [UInt8](repeating: UInt8(number & 255), count: 4))],
            modified: noon)
        try await fixture.store.putPart(part, of: upload, body: fixture.stage(body))
    }

    private func completion(_ parts: [(Int, [UInt8])], minimum: Int64 = 5 << 20) -> UploadCompletion {
        UploadCompletion(
            parts: parts.map { UploadCompletion.Part(number: $0.0, md5: digest($0.1)) }, md5: bytes(16), modified: noon,
            minimumPartSize: minimum)
    }

    @Test("becomes an object of its parts, without copying them")
    func completes() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            let (first, second) = (bytes(Self.partSize, seed: 1), bytes(10, seed: 2))
            try await put(2, second, of: upload, fixture)
            try await put(1, first, of: upload, fixture)
            #expect(try fixture.store.head("big", in: fixture.box).object == nil)
            let record = try await fixture.store.complete(upload, with: completion([(1, first), (2, second)]))
            #expect(record.entityTag == EntityTag(md5: bytes(16), partCount: 2))
            #expect(record.size == Int64(first.count + second.count))
            #expect(record.attributes == upload.attributes)
            let object = try #require(try fixture.store.open("big", in: fixture.box).object)
            #expect(object.record == record)
            #expect(object.inlineBody == nil)
            #expect(object.parts.map(\.number) == [1, 2])
            #expect(object.parts.map(\.size) == [Int64(first.count), 10])
            #expect(object.range(ofPart: 2) == Int64(first.count)..<Int64(first.count + 10))
            #expect(object.range(ofPart: 3) == nil)
            #expect(try await fixture.collect(object.bytes()) == first + second)
            let across = Int64(first.count - 3)..<Int64(first.count + 3)
            #expect(try await fixture.collect(object.bytes(in: across)) == Array(first.suffix(3) + second.prefix(3)))
            #expect(try fixture.store.upload(upload.id, of: "big", in: fixture.box) == nil)
            #expect(try await fixture.count("parts") == 0)
            #expect(try await fixture.count("contents") == 2)
        }
    }

    @Test("keeps only the parts that the completion names, with their numbers")
    func sparse() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            for number in [3, 7, 10_000] { try await put(number, bytes(pieceSize + number, seed: UInt64(number)), of: upload, fixture) }
            let named = [3, 10_000].map { ($0, bytes(pieceSize + $0, seed: UInt64($0))) }
            try await fixture.store.complete(upload, with: completion(named, minimum: 0))
            #expect(try fixture.store.open("big", in: fixture.box).object?.parts.map(\.number) == [3, 10_000])
            #expect(try await fixture.get("big") == named[0].1 + named[1].1)
            #expect(try await fixture.count("contents") == 2)
            #expect(try await fixture.count("pieces") == 4)
        }
    }

    @Test("replaces the earlier object, and a part that is uploaded again")
    func replaces() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("big", bytes(4 * pieceSize))
            let upload = try await start(fixture)
            try await put(1, bytes(3 * pieceSize), of: upload, fixture)
            try await put(1, bytes(2 * pieceSize, seed: 9), of: upload, fixture)
            #expect(try await fixture.count("pieces") == 6)
            try await fixture.store.complete(upload, with: completion([(1, bytes(2 * pieceSize, seed: 9))]))
            #expect(try await fixture.get("big") == bytes(2 * pieceSize, seed: 9))
            #expect(try await fixture.count("pieces") == 2)
            try await fixture.delete("big")
            #expect(try await fixture.count("pieces") == 0)
        }
    }

    @Test("is found by identifier, key and bucket together, as it was initiated")
    func found() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            let other = try await fixture.store.createBucket(named: "other", account: "1", region: "", created: noon)
            #expect(try fixture.store.upload(upload.id, of: "big", in: fixture.box) == upload)
            #expect(try fixture.store.upload(upload.id, of: "small", in: fixture.box) == nil)
            #expect(try fixture.store.upload(upload.id, of: "big", in: other.id) == nil)
            #expect(try fixture.store.upload("x", of: "big", in: fixture.box) == nil)
            #expect(try await start(fixture).id != upload.id)
        }
    }

    @Test("lists its parts in order, in pages")
    func listsParts() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            for number in [5, 1, 3] { try await put(number, bytes(number), of: upload, fixture) }
            let all = try await fixture.store.parts(of: upload)
            #expect(all.parts.map(\.number) == [1, 3, 5])
            #expect(!all.isTruncated)
            #expect(
                all.parts[1]
                    == StoredPart(
                        number: 3, size: 3, md5: digest(bytes(3)), checksums: [Checksum(.crc32, bytes: [3, 3, 3, 3])], modified: noon))
            let page = try await fixture.store.parts(of: upload, after: 1, limit: 1)
            #expect(page.parts.map(\.number) == [3])
            #expect(page.isTruncated)
            let last = try await fixture.store.parts(of: upload, after: 3, limit: 1)
            #expect(last.parts.map(\.number) == [5])
            #expect(!last.isTruncated)
        }
    }

    @Test("that is aborted is removed with its parts")
    func aborts() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            try await put(1, bytes(3 * pieceSize), of: upload, fixture)
            try await fixture.store.abort(upload)
            #expect(try await fixture.count("pieces") == 0)
            await #expect(throws: ObjectStoreError.noSuchUpload) { try await fixture.store.abort(upload) }
            await #expect(throws: ObjectStoreError.noSuchUpload) { try await put(1, [1], of: upload, fixture) }
            await #expect(throws: ObjectStoreError.noSuchUpload) { _ = try await fixture.store.parts(of: upload) }
            await #expect(throws: ObjectStoreError.noSuchUpload) {
                try await fixture.store.complete(upload, with: completion([(1, [1])]))
            }
            #expect(try await fixture.count("contents") == 0)
        }
    }

    @Test("refuses part numbers out of range", arguments: [-1, 0, 10_001])
    func partNumbers(_ number: Int) async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            await #expect(throws: ObjectStoreError.invalidPart(number: number)) { try await put(number, [1], of: upload, fixture) }
        }
    }

    @Test("refuses a completion that does not match its parts, and continues")
    func refusals() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await start(fixture)
            let small = bytes(100)
            for number in 1...3 { try await put(number, small, of: upload, fixture) }
            func refuses(_ error: ObjectStoreError, _ completion: UploadCompletion) async {
                await #expect(throws: error) { try await fixture.store.complete(upload, with: completion) }
            }
            await refuses(.invalidPart(number: 4), completion([(1, small), (4, small)]))
            await refuses(.invalidPart(number: 2), completion([(1, small), (2, [1])]))
            await refuses(.invalidPartOrder, completion([(2, small), (1, small)]))
            await refuses(.invalidPartOrder, completion([(1, small), (1, small)]))
            await refuses(.partTooSmall(number: 1, size: 100), completion([(1, small), (2, small)]))
            await refuses(.invalidPart(number: 1), completion([]))
            var wrongChecksum = completion([(3, small)])
            wrongChecksum.parts[0].checksum = Checksum(.crc32, bytes: [9, 9, 9, 9])
            await refuses(.invalidPart(number: 3), wrongChecksum)
            wrongChecksum.parts[0].checksum = Checksum(.crc32, bytes: [3, 3, 3, 3])
            await #expect(throws: ObjectStoreError.noSuchKey) {
                try await fixture.store.complete(upload, with: wrongChecksum, if: .ifMatch(EntityTag(md5: [])))
            }
            #expect(try await fixture.store.complete(upload, with: wrongChecksum, if: .ifNoneMatchAny).size == 100)
        }
    }

    @Test("is listed by key and age, in pages and with common prefixes")
    func listsUploads() async throws {
        try await StoreFixture.run { fixture in
            var ids: [String: [String]] = [:]
            for (index, key) in ["b", "a/1", "b", "a/2", "c"].enumerated() {
                let upload = try await fixture.store.createUpload(
                    NewUpload(key: key, owner: "1", initiated: noon + .seconds(index)), in: fixture.box)
                ids[key, default: []].append(upload.id)
            }
            let names = { (page: UploadPage) in
                page.entries.map { entry in
                    switch entry {
                    case .upload(let upload): upload.key + "#\(ids[upload.key]?.firstIndex(of: upload.id) ?? -1)"
                    case .commonPrefix(let prefix): "*" + prefix
                    }
                }
            }
            let whole = try await fixture.store.uploads(UploadQuery(), in: fixture.box)
            #expect(names(whole) == ["a/1#0", "a/2#0", "b#0", "b#1", "c#0"])
            #expect(!whole.isTruncated)
            let rolled = try await fixture.store.uploads(UploadQuery(delimiter: "/"), in: fixture.box)
            #expect(names(rolled) == ["*a/", "b#0", "b#1", "c#0"])
            let afterKey = try await fixture.store.uploads(UploadQuery(afterKey: "b"), in: fixture.box)
            #expect(names(afterKey) == ["c#0"])
            let prefixed = try await fixture.store.uploads(UploadQuery(prefix: "a/"), in: fixture.box)
            #expect(names(prefixed) == ["a/1#0", "a/2#0"])
            for delimiter in [nil, "/"] {
                var query = UploadQuery(delimiter: delimiter, limit: 1)
                var met: [String] = []
                while true {
                    let page = try await fixture.store.uploads(query, in: fixture.box)
                    met += names(page)
                    guard page.isTruncated else { break }
                    (query.afterKey, query.afterID) = (page.lastKey, page.lastID)
                }
                #expect(met == (delimiter == nil ? names(whole) : names(rolled)))
            }
        }
    }
}
