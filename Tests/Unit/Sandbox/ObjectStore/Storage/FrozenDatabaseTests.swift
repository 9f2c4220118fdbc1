import Fixtures
import SQLite
import Testing

@testable import ObjectStore

@Suite("A frozen database")
struct FrozenDatabaseTests {
    private func set(_ name: String, _ value: String, in database: Database) async throws {
        try await database.write { connection in
            try connection.run(
                "INSERT INTO settings VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", .text(name),
                .blob(Array(value.utf8)))
        }
    }

    private func value(_ name: String, in database: Database) throws -> String? {
        try database.read { connection in
            try connection.first("SELECT CAST(value AS TEXT) FROM settings WHERE name = ?1", .text(name)) { $0.text(0) }
        }
    }

    @Test("is copied as often as wanted, and the copies have nothing to do with each other")
    func copies() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            let database = try Database(at: folder + "/origin", threads: threads)
            try await set("a", "then", in: database)
            let frozen = try await database.copy(to: folder + "/frozen")
            try await set("a", "now", in: database)
            #expect(frozen.size > 0)
            var copies: [Database] = []
            for number in 0..<3 {
                try frozen.copy(into: "\(folder)/\(number)")
                copies.append(try Database(at: "\(folder)/\(number)", limits: .small, threads: threads))
            }
            for (number, copy) in copies.enumerated() {
                #expect(try value("a", in: copy) == "then")
                try await set("a", "\(number)", in: copy)
            }
            for (number, copy) in copies.enumerated() { #expect(try value("a", in: copy) == "\(number)") }
            #expect(try value("a", in: database) == "now")
            for copy in copies + [database] { await copy.close() }
            await threads.close()
        }
    }

    @Test("is not copied over a database, nor from nowhere")
    func failures() async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder + "/origin")
            let frozen = try await database.copy(to: folder + "/frozen")
            await database.close()
            try frozen.copy(into: folder + "/copy")
            #expect(throws: StorageError.self) { try frozen.copy(into: folder + "/copy") }
            #expect(throws: StorageError.self) { try frozen.copy(into: folder + "/nowhere/copy") }
            #expect(throws: StorageError.self) { try FrozenDatabase(path: folder + "/nothing").copy(into: folder + "/other") }
            #expect(!fileExists(folder + "/other/virga.sqlite"))
            #expect(FrozenDatabase(path: folder + "/nothing").size == 0)
        }
    }

    @Test("is moved, only for its owner")
    func moved() async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder + "/origin")
            try await set("a", "1", in: database)
            let frozen = try await database.copy(to: folder + "/frozen")
            await database.close()
            try frozen.move(into: folder + "/moved")
            #expect(!fileExists(frozen.path))
            #expect(permissions(of: folder + "/moved/virga.sqlite") == 0o600)
            let moved = try Database(folder: folder + "/moved")
            #expect(try value("a", in: moved) == "1")
            await moved.close()
            #expect(throws: StorageError.self) { try frozen.move(into: folder + "/again") }
        }
    }

    @Test("is the same copied by each method", arguments: FrozenDatabase.CopyMethod.allCases)
    func methods(method: FrozenDatabase.CopyMethod) async throws {
        try await withTemporaryFolder { folder in
            let database = try Database(folder: folder + "/origin")
            // More than one piece of a read.
            try await set("a", String(repeating: "x", count: 1 << 20), in: database)
            let frozen = try await database.copy(to: folder + "/frozen")
            await database.close()
            do {
                try frozen.copy(into: folder + "/copy", by: [method])
            } catch let error where method == .share {
                // This file system cannot share blocks. The next method takes over, and finds no file.
                #expect((error as? StorageError)?.description.contains(folder) == true)
                #expect(!fileExists(folder + "/copy/virga.sqlite"))
                try frozen.copy(into: folder + "/copy", by: [.share, .readAndWrite])
            }
            #expect(FrozenDatabase(path: folder + "/copy/virga.sqlite").size == frozen.size)
            let copy = try Database(folder: folder + "/copy")
            #expect(try value("a", in: copy)?.count == 1 << 20)
            await copy.close()
        }
    }

    @Test("that is discarded remains until the last read")
    func discarded() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            var database: Database? = try Database(at: folder + "/world", threads: threads)
            try await set("a", "1", in: try #require(database))
            database?.discard()
            #expect(try value("a", in: try #require(database)) == "1")
            #expect(fileExists(folder + "/world/virga.sqlite"))
            database = nil
            await threads.close()
            #expect(!fileExists(folder + "/world"))
        }
    }

    @Test("that is discarded as a file leaves its folder")
    func discardedFile() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            var database: Database? = try Database(at: folder, threads: threads)
            try await set("a", "1", in: try #require(database))
            database?.discardFile()
            #expect(try value("a", in: try #require(database)) == "1")
            database = nil
            await threads.close()
            #expect(fileExists(folder))
            #expect(!fileExists(folder + "/virga.sqlite"))
            #expect(!fileExists(folder + "/virga.sqlite-wal"))
        }
    }

    @Test("grows to its limit and no further")
    func limit() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            var limits = Database.Limits.small
            limits.size = 1 << 20
            let database = try Database(at: folder + "/world", limits: limits, threads: threads)
            await #expect(throws: SQLiteError.self) {
                try await database.write { connection in
                    try connection.run("INSERT INTO settings VALUES ('large', zeroblob(4000000))")
                }
            }
            try await set("a", "1", in: database)
            #expect(try value("a", in: database) == "1")
            await database.close()
            await threads.close()
        }
    }
}
