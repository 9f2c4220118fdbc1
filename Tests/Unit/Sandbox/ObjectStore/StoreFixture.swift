import NIOCore
import ObjectStore
import SQLite
import Seeds
import WireFormats

@testable import ObjectStore

let noon = Timestamp(seconds: 1_795_262_400)

/// An object store in a temporary folder with one bucket, `box`.
struct StoreFixture {
    let database: Database
    let store: ObjectStore
    let box: Bucket.ID

    @discardableResult
    static func run<T>(_ body: (StoreFixture) async throws -> T) async throws -> T {
        let database = try Database()
        let store = try ObjectStore(database: database)
        let bucket = try await store.createBucket(named: "box", account: "1", region: "", created: noon)
        do {
            let value = try await body(StoreFixture(database: database, store: store, box: bucket.id))
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// Stages bytes in chunks that cross the boundaries of pieces.
    func stage(_ bytes: [UInt8], chunk: Int = 100_000) async throws -> BodyWriter {
        let writer = store.stage()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try await writer.append(ByteBuffer(bytes: bytes[start..<min(start + chunk, bytes.count)]))
        }
        return writer
    }

    @discardableResult
    func put(_ key: String, _ bytes: [UInt8], if precondition: Precondition = .none) async throws -> ObjectRecord {
        let object = NewObject(key: key, md5: digest(bytes), owner: "1", modified: noon)
        return try await store.put(object, in: box, body: stage(bytes), if: precondition)
    }

    func get(_ key: String, _ range: Range<Int64>? = nil) async throws -> [UInt8]? {
        guard let object = try store.open(key, in: box).object else { return nil }
        return try await collect(object.bytes(in: range))
    }

    /// - Returns: Whether the object existed.
    @discardableResult
    func delete(_ key: String, version: VersionSelector = .current, if precondition: Precondition = .none) async throws -> Bool {
        try await store.delete(
            KeyDeletion(key: key, version: version, if: precondition), in: box, on: DeletionTerms(modified: noon, owner: "1")
        ).existed
    }

    func collect(_ sequence: ObjectBytes) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in sequence { buffer.withUnsafeReadableBytes { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Waits for the submitted writes, including ten steps of the sweep, and counts a table's rows.
    func count(_ table: String) async throws -> Int64 {
        for _ in 0..<10 { try await store.write { _ in } }
        return try countNow(table)
    }

    func countNow(_ table: String) throws -> Int64 {
        try database.read { try $0.first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? -1 }
    }
}

/// Returns 16 bytes in place of an MD5, which the store does not compute. They differ between the bodies of these tests.
func digest(_ bytes: [UInt8]) -> [UInt8] {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var word: UInt64 = 0
            withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: bytes[offset..<min(offset + 8, bytes.count)]) }
            state = (state ^ word) &* 0x100_0000_01b3
        }
    }
    return withUnsafeBytes(of: (state, UInt64(bytes.count))) { Array($0) }
}

/// Returns bytes without a period, so that a misplaced piece is noticed.
func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    let words = sequence(state: seed) { state in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
    return Array(words.prefix((count + 7) / 8)).withUnsafeBytes { Array($0.prefix(count)) }
}

let pieceSize = 262_144
