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
            #expect(!fileExists(folder + "/other/virga.sqlite") && FrozenDatabase(path: folder + "/nothing").size == 0)
        }
    }

    @Test("that is discarded remains until the last read")
    func discarded() async throws {
        try await withTemporaryFolder { folder in
            let threads = DatabaseThreads()
            var database: Database? = try Database(at: folder + "/world", threads: threads)
            try await set("a", "1", in: try #require(database))
            database?.discard()
            #expect(try value("a", in: try #require(database)) == "1" && fileExists(folder + "/world/virga.sqlite"))
            database = nil
            #expect(!fileExists(folder + "/world"))
            await threads.close()
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
            #expect(fileExists(folder) && !fileExists(folder + "/virga.sqlite") && !fileExists(folder + "/virga.sqlite-wal"))
            await threads.close()
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
