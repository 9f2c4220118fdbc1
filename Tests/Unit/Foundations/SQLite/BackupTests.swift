import Fixtures
import SQLite
import Testing

@Suite("A copy of a database")
struct BackupTests {
    private func made(at path: String, rows: Int) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.execute(
            "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; CREATE TABLE things (id INTEGER PRIMARY KEY, body BLOB)")
        for _ in 0..<rows { try connection.run("INSERT INTO things (body) VALUES (randomblob(1000))") }
        return connection
    }

    private func count(at path: String) throws -> Int64? {
        let connection = try Connection(path: path)
        #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        return try connection.first("SELECT count(*) FROM things") { $0.integer(0) }
    }

    @Test("contains everything that the connection reads, including pages that are only in the log, and leaves no other file")
    func copies() async throws {
        try await withTemporaryFolder { folder in
            let connection = try made(at: folder + "/a", rows: 500)
            try connection.copy(to: folder + "/b")
            for suffix in ["-wal", "-shm", "-journal"] { #expect(!fileExists(folder + "/b" + suffix)) }
            try connection.run("DELETE FROM things")
            #expect(try count(at: folder + "/b") == 500)
        }
    }

    @Test("is one state while another connection writes")
    func concurrentWrites() async throws {
        try await withTemporaryFolder { folder in
            let (writer, reader) = (try made(at: folder + "/a", rows: 500), try Connection(path: folder + "/a"))
            try reader.readTransaction {
                #expect(try reader.first("SELECT count(*) FROM things") { $0.integer(0) } == 500)
                try writer.run("DELETE FROM things WHERE id % 2 = 0")
                try reader.copy(to: folder + "/b")
            }
            #expect(try count(at: folder + "/b") == 500)
            try reader.copy(to: folder + "/c")
            #expect(try count(at: folder + "/c") == 250)
        }
    }

    @Test("fails where no file can be written")
    func failure() async throws {
        try await withTemporaryFolder { folder in
            let connection = try made(at: folder + "/a", rows: 1)
            #expect(throws: SQLiteError.self) { try connection.copy(to: folder + "/nowhere/b") }
            #expect(try connection.first("SELECT count(*) FROM things") { $0.integer(0) } == 1)
        }
    }
}
