import Fixtures
import ObjectStore
import Policy
import Testing
import WireFormats

import struct Policy.Tag

@testable import ObjectStore

@Suite("Buckets")
struct BucketTests {
    @Test("are found by name and by account after their creation")
    func created() async throws {
        try await StoreFixture.run { fixture in
            let bucket = try await fixture.store.createBucket(named: "attic", account: "2", region: "eu-west-1", created: noon)
            #expect(fixture.store.bucket(named: "attic") == bucket)
            #expect(bucket.region == "eu-west-1")
            #expect(bucket.created == noon)
            #expect(bucket.policy == nil)
            #expect(fixture.store.buckets(of: "2") == [bucket])
            #expect(fixture.store.allBuckets.map(\.name) == ["attic", "box"])
            #expect(fixture.store.bucket(named: "cellar") == nil)
        }
    }

    @Test("are listed in pages that visit no other buckets")
    func pages() async throws {
        try await StoreFixture.run { fixture in
            for number in (100..<200).shuffled() {
                _ = try await fixture.store.createBucket(named: "b\(number)", account: "2", region: "", created: noon)
            }
            var visited = 0
            func page(_ prefix: String, after marker: String?, limit: Int) -> String {
                visited = 0
                let page = fixture.store.buckets(of: "2", prefix: prefix, after: marker, limit: limit) { _ in
                    visited += 1
                    return true
                }
                return page.buckets.map(\.name).joined(separator: " ") + (page.isTruncated ? " …" : "")
            }
            #expect(page("", after: nil, limit: 2) == "b100 b101 …")
            #expect(visited == 3)
            #expect(page("", after: "b150", limit: 3) == "b151 b152 b153 …")
            #expect(visited == 4)
            #expect(page("", after: "b150-", limit: 1) == "b151 …")
            #expect(visited == 2)
            #expect(page("b19", after: "b1", limit: 10) == (190...199).map { "b\($0)" }.joined(separator: " "))
            #expect(visited == 10)
            #expect(page("b19", after: "b198", limit: 1) == "b199")
            #expect(visited == 1)
            #expect(page("c", after: nil, limit: 1).isEmpty)
            #expect(page("b", after: "c", limit: 1).isEmpty)
            #expect(visited == 0)

            let bucket = try #require(fixture.store.bucket(named: "b151"))
            try await fixture.store.deleteBucket(bucket.id)
            #expect(page("", after: "b150", limit: 1) == "b152 …")
            #expect(visited == 2)
            #expect(fixture.store.allBuckets.map(\.name) == (100..<200).filter { $0 != 151 }.map { "b\($0)" } + ["box"])
        }
    }

    @Test("are found by an additional host name while they have it")
    func hosts() async throws {
        try await StoreFixture.run { fixture in
            let bucket = try await fixture.store.createBucket(named: "attic", account: "2", region: "", created: noon)
            #expect(fixture.store.bucket(hostedAt: "a.example") == nil)
            try await fixture.store.configure(bucket.id) { $0.documents[.ossHosts] = #"["a.example","b.example"]"# }
            #expect(fixture.store.bucket(hostedAt: "b.example")?.name == "attic")
            try await fixture.store.configure(bucket.id) { $0.documents[.ossHosts] = #"["a.example"]"# }
            #expect(fixture.store.bucket(hostedAt: "b.example") == nil)
            #expect(fixture.store.bucket(hostedAt: "a.example")?.name == "attic")
            try await fixture.store.configure(bucket.id) { $0.documents[.ossHosts] = nil }
            #expect(fixture.store.bucket(hostedAt: "a.example") == nil)
            try await fixture.store.configure(bucket.id) { $0.documents[.ossHosts] = #"["a.example"]"# }
            try await fixture.store.deleteBucket(bucket.id)
            #expect(fixture.store.bucket(hostedAt: "a.example") == nil)
        }
    }

    @Test("parse a document once for each of its types, until the configuration changes")
    func documents() async throws {
        try await StoreFixture.run { fixture in
            var parsed: [String] = []
            func text() throws -> String? {
                try #require(fixture.store.bucket(named: "box")).parsed(.cors) { text in
                    parsed.append(text)
                    return text
                }
            }
            func length() throws -> Int? {
                try #require(fixture.store.bucket(named: "box")).parsed(.cors) { text in
                    parsed.append(text)
                    return text.count
                }
            }
            #expect(try text() == nil)
            for document in ["first", "second"] {
                try await fixture.store.configure(fixture.box) { $0.documents[.cors] = document }
                for _ in 0..<3 {
                    #expect(try text() == document)
                    #expect(try length() == document.count)
                }
            }
            #expect(parsed == ["first", "first", "second", "second"])
        }
    }

    @Test("cannot share a name, and the error contains the owner")
    func uniqueNames() async throws {
        try await StoreFixture.run { fixture in
            await #expect(throws: ObjectStoreError.bucketExists(owner: "1")) {
                try await fixture.store.createBucket(named: "box", account: "2", region: "", created: noon)
            }
        }
    }

    @Test("of the same name are created once by concurrent callers")
    func race() async throws {
        try await StoreFixture.run { fixture in
            let made = await withTaskGroup(of: Bool.self) { group in
                for account in 0..<8 {
                    group.addTask {
                        do {
                            _ = try await fixture.store.createBucket(
                                named: "one", account: "\(account)", region: "", created: noon)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 1)
        }
    }

    @Test("keep their policy until it is removed")
    func policy() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.store.configure(fixture.box) { $0.documents[.policy] = "{ }" }
            #expect(fixture.store.bucket(named: "box")?.policy == "{ }")
            try await fixture.store.configure(fixture.box) { $0.documents[.policy] = nil }
            #expect(fixture.store.bucket(named: "box")?.policy == nil)
        }
    }

    @Test("with an object cannot be deleted")
    func notEmpty() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("key", [1])
            await #expect(throws: ObjectStoreError.bucketNotEmpty) { try await fixture.store.deleteBucket(fixture.box) }
            try await fixture.delete("key")
            try await fixture.store.deleteBucket(fixture.box)
            #expect(fixture.store.bucket(named: "box") == nil)
            await #expect(throws: ObjectStoreError.noSuchBucket) { try await fixture.store.deleteBucket(fixture.box) }
            await #expect(throws: ObjectStoreError.noSuchBucket) {
                try await fixture.store.configure(fixture.box) { $0.documents[.policy] = "{}" }
            }
        }
    }

    @Test("with an unfinished upload are deleted together with it")
    func unfinishedUpload() async throws {
        try await StoreFixture.run { fixture in
            let upload = try await fixture.store.createUpload(
                NewUpload(key: "big", owner: "1", initiated: noon), in: fixture.box)
            let body = try await fixture.stage(bytes(pieceSize + 1))
            try await fixture.store.putPart(NewPart(number: 1, md5: [], modified: noon), of: upload, body: body)
            try await fixture.store.deleteBucket(fixture.box)
            #expect(try await fixture.count("pieces") == 0)
            #expect(try await fixture.count("contents") == 0)
            #expect(try await fixture.count("uploads") == 0)
        }
    }

    @Test("that were deleted accept no objects and uploads, even if another has the same name")
    func gone() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.store.deleteBucket(fixture.box)
            _ = try await fixture.store.createBucket(named: "box", account: "1", region: "", created: noon)
            await #expect(throws: ObjectStoreError.noSuchBucket) { try await fixture.put("key", [1]) }
            await #expect(throws: ObjectStoreError.noSuchBucket) {
                try await fixture.store.createUpload(NewUpload(key: "k", owner: "1", initiated: noon), in: fixture.box)
            }
            #expect(try fixture.store.head("key", in: fixture.box).object == nil)
        }
    }

    @Test("are removed by a reset, with their contents")
    func reset() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("small", [1])
            try await fixture.put("large", bytes(3 * pieceSize))
            let upload = try await fixture.store.createUpload(
                NewUpload(key: "big", owner: "1", initiated: noon), in: fixture.box)
            try await fixture.store.putPart(
                NewPart(number: 1, md5: [], modified: noon), of: upload, body: fixture.stage([1, 2]))
            try await fixture.store.reset()
            #expect(fixture.store.allBuckets == [])
            for table in ["buckets", "objects", "bodies", "segments", "contents", "pieces", "uploads", "parts"] {
                #expect(try await fixture.count(table) == 0, "\(table)")
            }
        }
    }

    @Test("have the tags of data folders that have them as a document of S3")
    func storedTags() {
        let stored = "<Tagging><TagSet><Tag><Key>b</Key><Value>1</Value></Tag><Tag><Key>a</Key><Value/></Tag></TagSet></Tagging>"
        #expect([Tag](stored: stored) == [Tag(key: "b", value: "1"), Tag(key: "a", value: "")])
    }

    @Test("and their objects persist for the next process")
    func reopened() async throws {
        try await withTemporaryFolder { folder in
            let first = try Database(folder: folder)
            let store = try ObjectStore(database: first)
            let bucket = try await store.createBucket(named: "box", account: "1", region: "r", created: noon)
            let configuration = try await store.configure(bucket.id) { configuration in
                configuration = .modern
                configuration.documents[.policy] = "{}"
                configuration.tags = [Tag(key: "b", value: "<1> & 2"), Tag(key: "a", value: "")]
                configuration.requestPayer = .requester
                configuration.versioning = .suspended
                configuration.hasObjectLock = true
                configuration.defaultRetention = DefaultRetention(mode: .governance, period: .years(2))
                configuration.accessControl = AccessControlList(grants: [.init(.email("a@b"), .writeACP)])
            }
            await first.close()
            let second = try Database(folder: folder)
            let reopened = try ObjectStore(database: second).bucket(named: "box")
            #expect(
                reopened
                    == Bucket(
                        id: bucket.id, name: "box", account: "1", region: "r", created: noon, configuration: configuration,
                        revision: 0))
            await second.close()
        }
    }
}
