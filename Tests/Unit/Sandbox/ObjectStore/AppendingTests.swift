import NIOCore
import ObjectStore
import Testing
import WireFormats

@testable import ObjectStore

@Suite("An appendable object")
struct AppendingTests {
    private static let sealed = Timestamp(seconds: 1_795_262_500)

    /// Appends bytes, with the test's checksum of the whole object.
    @discardableResult
    private func append(
        _ body: [UInt8], at position: Int64, to key: String = "log", in fixture: StoreFixture, bucket: Bucket.ID? = nil
    ) async throws -> ObjectRecord {
        let object = NewObject(
            key: key, attributes: ObjectAttributes(contentType: "text/plain"), md5: digest(body), owner: "1", modified: noon,
            kind: .appendable(sealed: nil))
        return try await fixture.store.append(object, at: position, in: bucket ?? fixture.box, body: fixture.stage(body)) {
            record, added throws(ObjectStoreError) in
            record.checksums = [Checksum(.crc64xz, bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: added), count: 8))]
            record.kind = .normal
        }
    }

    @Test(
        "contains what was appended, in order, in any sizes",
        arguments: [
            [1, 1, 1], [0, 10, 0, 5], [pieceSize - 1, 1, 1], [pieceSize, 1, pieceSize], [pieceSize + 1, 10, 10],
            [100, 3 * pieceSize + 7, 100, 2 * pieceSize], [1, pieceSize, pieceSize - 1, 1, 1],
        ])
    func grows(_ sizes: [Int]) async throws {
        try await StoreFixture.run { fixture in
            var whole: [UInt8] = []
            for (index, size) in sizes.enumerated() {
                let body = bytes(size, seed: UInt64(index + 1))
                let record = try await append(body, at: Int64(whole.count), in: fixture)
                whole += body
                #expect(record.size == Int64(whole.count))
                #expect(record.kind == .appendable(sealed: nil), "what the change does to the kind is ignored")
                #expect(try await fixture.get("log") == whole)
            }
            let across = Int64(whole.count / 3)..<Int64(whole.count)
            #expect(try await fixture.get("log", across) == Array(whole[(whole.count / 3)...]))
            #expect(try await fixture.delete("log"))
            #expect(try await fixture.count("pieces") == 0)
            #expect(try await fixture.count("bodies") == 0)
            #expect(try await fixture.count("contents") == 0)
            #expect(try await fixture.count("segments") == 0)
        }
    }

    @Test("merges many small appends")
    func small() async throws {
        try await StoreFixture.run { fixture in
            try await append(bytes(pieceSize), at: 0, in: fixture)
            for index in 0..<200 { try await append(bytes(1000), at: Int64(pieceSize + 1000 * index), in: fixture) }
            #expect(try fixture.countNow("pieces") == 2)
            #expect(try fixture.countNow("segments") == 2)
        }
    }

    @Test("is appended to at its end, and returns the next position")
    func position() async throws {
        try await StoreFixture.run { fixture in
            await #expect(throws: ObjectStoreError.wrongPosition(length: 0)) { try await append([1], at: 1, in: fixture) }
            try await append([1, 2, 3], at: 0, in: fixture)
            await #expect(throws: ObjectStoreError.wrongPosition(length: 3)) { try await append([4], at: 0, in: fixture) }
            await #expect(throws: ObjectStoreError.wrongPosition(length: 3)) { try await append([4], at: 4, in: fixture) }
            #expect(try await fixture.get("log") == [1, 2, 3])
        }
    }

    @Test("accepts one of several concurrent appends at a position")
    func race() async throws {
        try await StoreFixture.run { fixture in
            try await append([0], at: 0, in: fixture)
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for index in 1...20 {
                    group.addTask { (try? await append([UInt8(index)], at: 1, in: fixture)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(outcomes == 1)
            #expect(try await fixture.get("log")?.count == 2)
        }
    }

    @Test("refuses appends to a normal object and to a sealed one")
    func refusals() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("whole", [1])
            await #expect(throws: ObjectStoreError.notAppendable) { try await append([2], at: 1, to: "whole", in: fixture) }
            try await append([1], at: 0, in: fixture)
            try await fixture.store.update("log", in: fixture.box) { record throws(ObjectStoreError) in
                record.kind = .appendable(sealed: Self.sealed)
            }
            await #expect(throws: ObjectStoreError.sealed) { try await append([2], at: 1, in: fixture) }
            let record = try #require(try fixture.store.head("log", in: fixture.box).object)
            #expect(record.kind == .appendable(sealed: Self.sealed))
        }
    }

    @Test("does not change copies and readers from before an append")
    func others() async throws {
        try await StoreFixture.run { fixture in
            let first = bytes(pieceSize + 10)
            try await append(first, at: 0, in: fixture)
            let copy = try await fixture.store.copy(CopySource(bucket: fixture.box, key: "log"), to: fixture.box) {
                original throws(ObjectStoreError) in
                var record = original
                record.key = "copy"
                return record
            }
            #expect(copy.kind == .normal)
            let opened = try #require(try fixture.store.open("log", in: fixture.box).object)
            try await append([1, 2, 3], at: Int64(first.count), in: fixture)
            #expect(try await fixture.get("copy") == first)
            #expect(try await fixture.collect(opened.bytes()) == first)
            #expect(try await fixture.get("log") == first + [1, 2, 3])
        }
    }

    @Test("remains one version, and starts anew above a delete marker")
    func versions() async throws {
        try await StoreFixture.run { fixture in
            let bucket = try #require(fixture.store.bucket(named: "box"))
            var configuration = bucket.configuration
            configuration.versioning = .enabled
            let wanted = configuration
            try await fixture.store.configure(fixture.box) { current throws(ObjectStoreError) in current = wanted }
            let first = try await append([1], at: 0, in: fixture)
            let second = try await append([2], at: 1, in: fixture)
            #expect(first.version == second.version)
            #expect(try await fixture.delete("log"))
            let third = try await append([3], at: 0, in: fixture)
            #expect(third.version != first.version)
            #expect(try await fixture.get("log") == [3])
            let page = try await fixture.store.listVersions(VersionQuery(), in: fixture.box)
            #expect(page.entries.count == 3)
            guard case .version(let newest)? = page.entries.first else {
                Issue.record("The newest is no object")
                return
            }
            #expect(newest.object.kind == .appendable(sealed: nil))
        }
    }

    @Test("is listed with its type, beside symbolic links")
    func listed() async throws {
        try await StoreFixture.run { fixture in
            try await append([1], at: 0, in: fixture)
            let link = NewObject(key: "link", md5: digest([]), owner: "1", modified: noon, kind: .symlink(target: "a/b \u{1F30A}"))
            try await fixture.store.put(link, in: fixture.box, body: fixture.store.stage())
            let kinds = try await fixture.store.list(ListQuery(), in: fixture.box).entries.map { entry in
                if case .object(let object) = entry { object.kind } else { ObjectKind.normal }
            }
            #expect(kinds == [.symlink(target: "a/b \u{1F30A}"), .appendable(sealed: nil)])
            #expect(try fixture.store.head("link", in: fixture.box).object?.kind == .symlink(target: "a/b \u{1F30A}"))
        }
    }
}
