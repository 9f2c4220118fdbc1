import Fixtures
import Foundation
import NIOCore
import ObjectStore
import SQLite
import Synchronization
import Testing

@testable import ObjectStore

@Suite("A sandbox's database")
struct DatabaseTests {
    struct Stop: Error {}

    private func setting(_ name: String, in database: Database) throws -> String? {
        try database.read { connection in
            try connection.first("SELECT CAST(value AS TEXT) FROM settings WHERE name = ?1", .text(name)) { $0.text(0) }
        }
    }

    private func set(_ name: String, _ value: String, _ connection: Connection) throws {
        try connection.run("INSERT INTO settings VALUES (?1, ?2)", .text(name), .blob(Array(value.utf8)))
    }

    @Test("shows a write to every reader as soon as the write returns")
    func readsItsWrites() async throws {
        let database = try Database()
        try await database.write { try self.set("a", "1", $0) }
        #expect(try setting("a", in: database) == "1")
        let pooled = try await database.readInPool { try $0.first("SELECT count(*) FROM settings") { $0.integer(0) } }
        #expect(pooled == 1)
        await database.close()
    }

    @Test("reverts only the write that fails among those in one commit")
    func isolatesFailures() async throws {
        let database = try Database()
        let succeeded = Recorder<Int>()
        try await database.write { _ in
        } committed: { _ in
            // Submitted on the writing thread, so that all of them wait before the next commit begins.
            for number in 0..<40 {
                database.submit { connection in
                    try self.set("\(number)", "value", connection)
                    if number % 4 == 3 { throw Stop() }
                } completion: { result in
                    if case .success = result { succeeded.append(number) }
                }
            }
        }
        try await database.write { _ in }
        #expect(succeeded.values.count == 30)
        #expect(try setting("3", in: database) == nil)
        #expect(try setting("4", in: database) == "value")
        await database.close()
    }

    @Test("keeps the other writes of a commit if one fails before it changes anything")
    func checksFirst() async throws {
        let database = try Database()
        let succeeded = Recorder<Int>()
        try await database.write { _ in
        } committed: { _ in
            for number in 0..<40 {
                database.submit(checksFirst: true) { connection in
                    if number % 4 == 3 { throw Stop() }
                    try self.set("\(number)", "value", connection)
                } completion: { result in
                    if case .success = result { succeeded.append(number) }
                }
            }
        }
        try await database.write { _ in }
        #expect(succeeded.values.count == 30)
        #expect(try setting("3", in: database) == nil)
        #expect(try setting("2", in: database) == "value")
        await database.close()
    }

    @Test("reverts a write that fails after a change, although it said that it checks first")
    func failsLate() async throws {
        let database = try Database()
        let succeeded = Recorder<String>()
        try await database.write { _ in
        } committed: { _ in
            for name in ["before", "late", "after"] {
                database.submit(checksFirst: true) { connection in
                    try self.set(name, "value", connection)
                    if name == "late" { throw Stop() }
                } completion: { result in
                    if case .success = result { succeeded.append(name) }
                }
            }
        }
        try await database.write { _ in }
        #expect(succeeded.values == ["after"])
        #expect(try setting("before", in: database) == nil)
        #expect(try setting("late", in: database) == nil)
        #expect(try setting("after", in: database) == "value")
        await database.close()
    }

    @Test("repeats writes that had not begun when another write rolled the transaction back")
    func outlivesLostTransactions() async throws {
        let database = try Database()
        let succeeded = Recorder<String>()
        try await database.write { _ in
        } committed: { _ in
            // Submitted on the writing thread, so that all of them share a commit.
            for name in ["before", "too large", "after", "last"] {
                database.submit { connection in
                    if name == "too large" { try connection.execute("PRAGMA max_page_count = 40") }
                    try self.set(name, name == "too large" ? String(repeating: "x", count: 4 << 20) : "value", connection)
                } completion: { result in
                    if case .success = result { succeeded.append(name) }
                }
            }
        }
        try await database.write { _ in }
        // The earlier write in the transaction is reverted with it, and its caller gets an error.
        #expect(succeeded.values == ["after", "last"])
        #expect(try setting("before", in: database) == nil)
        #expect(try setting("last", in: database) == "value")
        await database.close()
    }

    @Test("reports commits in their order before the next write begins")
    func committedOrder() async throws {
        let database = try Database()
        let log = Recorder<Int64>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.write { connection -> Int64 in
                        try connection.run("INSERT INTO ages VALUES (0, 0)")
                        return connection.lastInsertedRow
                    } committed: { row in
                        log.append(row)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(log.values == Array(1...50))
        await database.close()
    }

    @Test("keeps its content for the next process")
    func reopens() async throws {
        try await withTemporaryFolder { folder in
            let first = try Database(folder: folder + "/new/data")
            try await first.write { try self.set("a", "1", $0) }
            await first.close()
            let second = try Database(folder: folder + "/new/data")
            #expect(try setting("a", in: second) == "1")
            await second.close()
        }
    }

    @Test("is accessible only to its owner, whatever the permissions of the folder")
    func belongsToItsOwner() async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder)
            try await database.write { try self.set("a", "1", $0) }
            for file in ["virga.sqlite", "virga.sqlite-wal"] {
                #expect(permissions(of: folder + "/" + file) == 0o600, "\(file)")
            }
            await database.close()
        }
    }

    @Test("refuses a folder that is open in another process")
    func locked() async throws {
        try await withTemporaryFolder { folder in
            let first = try Database(folder: folder)
            #expect(throws: StorageError.inUse(path: folder)) { try Database(folder: folder) }
            await first.close()
            let second = try Database(folder: folder)
            await second.close()
        }
    }

    @Test("refuses a folder that cannot be created")
    func unusable() async throws {
        let error = #expect(throws: StorageError.self) { try Database(folder: "/proc/nowhere") }
        guard case .unusableFolder("/proc/nowhere", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("frees the space of deleted rows, and continues")
    func compaction() async throws {
        try await StoreFixture.run { fixture in
            try await fixture.put("kept", bytes(3 * pieceSize))
            try await fixture.put("gone", bytes(40 * pieceSize))
            try await fixture.delete("gone")
            #expect(try await fixture.count("pieces") == 3)
            let freed = try await fixture.database.compact()
            #expect(freed > 39 * pieceSize)
            #expect(try await fixture.get("kept") == bytes(3 * pieceSize))
            try await fixture.put("new", bytes(10))
            #expect(try await fixture.get("new") == bytes(10))
            #expect(try await fixture.database.compact() <= pieceSize)
        }
    }

    @Test("migrates a database of the first version, with its content")
    func migration() async throws {
        try await withTemporaryFolder { folder in
            do {
                let connection = try Connection(path: folder + "/virga.sqlite")
                try Schema(applicationID: Schema.cloud.applicationID, migrations: [Schema.cloud.migrations[0]]).migrate(connection)
                try connection.execute(
                    """
                    INSERT INTO buckets(name, account, region, created, policy) VALUES ('box', '1', '', 1000, '{}');
                    INSERT INTO objects(bucket, key, size, md5, modified, owner, body, is_segmented)
                        VALUES (1, x'6b', 2, x'00', 2000, '1', 5, 0);
                    INSERT INTO bodies VALUES (5, x'6869');
                    """)
            }
            let database = try Database(folder: folder)
            let store = try ObjectStore(database: database)
            let bucket = try #require(store.bucket(named: "box"))
            #expect(bucket.policy == "{}")
            #expect(bucket.configuration.ownership == .bucketOwnerEnforced)
            let object = try #require(try store.open("k", in: bucket.id).object)
            #expect(object.inlineBody.map { Array($0.readableBytesView) } == Array("hi".utf8))
            #expect(object.record.version.isNull)
            #expect(object.record.properties == ObjectProperties())
            await database.close()
        }
    }

    @Test("refuses a database of another version or another program, with an error")
    func otherVersion() async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder)
            await database.close()
            let path = folder + "/virga.sqlite"
            try Connection(path: path).execute("PRAGMA user_version = 999")
            let error = #expect(throws: StorageError.self) { try Database(folder: folder) }
            #expect(error == .otherVersion(path: path, found: 999, known: Schema.cloud.migrations.count))
            #expect(error?.description.contains("version 999") == true)
            #expect(error?.description.contains("newer release") == true)
            try Connection(path: path).execute("PRAGMA application_id = 1")
            #expect(throws: StorageError.foreignFile(path: path)) { try Database(folder: folder) }
        }
    }

    @Test("does not change a file that it refuses, nor its log", arguments: [0, 999])
    func refusedFile(version: Int) async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder)
            await database.close()
            let path = folder + "/virga.sqlite"
            do {
                let connection = try Connection(path: path)
                try connection.execute("PRAGMA user_version = \(version)")
                connection.skipCheckpointAtClose()
            }
            let before = try [path, path + "-wal"].map { try [UInt8](Data(contentsOf: URL(filePath: $0))) }
            #expect(!before[1].isEmpty)
            #expect(throws: StorageError.otherVersion(path: path, found: Int64(version), known: Schema.cloud.migrations.count)) {
                try Database(folder: folder)
            }
            #expect(try [path, path + "-wal"].map { try [UInt8](Data(contentsOf: URL(filePath: $0))) } == before)
        }
    }

    @Test("writes each commit through to the disk only if asked to", arguments: [true, false])
    func synced(isSynced: Bool) async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            let database = try Database(at: folder, isSynced: isSynced, threads: threads)
            #expect(try await database.write { try $0.first("PRAGMA synchronous") { $0.integer(0) } } == (isSynced ? 2 : 0))
            await database.close()
            await threads.close()
        }
    }

    @Test("refuses reads and writes after it was closed; closing can be repeated")
    func closed() async throws {
        let database = try Database()
        await database.close()
        await database.close()
        #expect(throws: StorageError.closed) { try database.read { _ in } }
        await #expect(throws: StorageError.closed) { try await database.readInPool { _ in } }
        await #expect(throws: StorageError.closed) { try await database.write { _ in } }
    }

    @Test("completes the waiting writes before it closes")
    func finishes() async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder)
            let ended = Recorder<Int>()
            for number in 0..<200 {
                database.submit {
                    try $0.run("INSERT INTO ages VALUES (0, 0)")
                } completion: { result in
                    if case .success = result { ended.append(number) }
                }
            }
            await database.close()
            #expect(ended.values == Array(0..<200))
            let again = try Database(folder: folder)
            #expect(try again.read { try $0.first("SELECT count(*) FROM ages") { $0.integer(0) } } == 200)
            await again.close()
        }
    }

    @Test("removes its temporary folder when it closes")
    func temporary() async throws {
        let database = try Database()
        let file = try database.read { try $0.first("SELECT file FROM pragma_database_list") { $0.text(0) } }
        let path = try #require(file)
        #expect(fileExists(path))
        await database.close()
        #expect(!fileExists(path))
    }
}

/// Records the values that concurrent closures report, in order.
private final class Recorder<Element: Sendable>: Sendable {
    private let recorded = Mutex<[Element]>([])

    var values: [Element] { recorded.withLock { $0 } }

    func append(_ element: Element) { recorded.withLock { $0.append(element) } }
}
