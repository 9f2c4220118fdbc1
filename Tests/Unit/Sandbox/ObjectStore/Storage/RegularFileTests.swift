import Fixtures
import Testing

@testable import ObjectStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A file that must be regular")
struct RegularFileTests {
    private static func reason(_ path: String) -> String? {
        guard let file = RegularFile.open(path) else { return RegularFile.reason }
        close(file)
        return nil
    }

    @Test("is opened, also through a link, and nothing else is, without waiting")
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            let (file, link, pipe, loop) = (folder + "/file", folder + "/link", folder + "/pipe", folder + "/loop")
            close(open(file, O_WRONLY | O_CREAT, 0o600))
            #expect(symlink(file, link) == 0)
            #expect(symlink(loop, loop) == 0)
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(Self.reason(file) == nil)
            #expect(Self.reason(link) == nil)
            #expect(Self.reason(pipe) == "it is not a regular file")
            #expect(Self.reason(folder) == "it is not a regular file")
            #expect(Self.reason("/dev/null") == "it is not a regular file")
            #expect(Self.reason(loop) == String(cString: strerror(ELOOP)))
            #expect(Self.reason(folder + "/none") == String(cString: strerror(ENOENT)))
        }
    }

    @Test("is required for a copy of a database")
    func copy() async throws {
        try await withTemporaryFolder { folder in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0)
            #expect(throws: StorageError.unusableFolder(path: folder + "/pipe", reason: "it is not a regular file")) {
                try FrozenDatabase(path: folder + "/pipe").copy(into: folder + "/copy")
            }
        }
    }
}

@Suite("What a database was before it is opened")
struct DatabaseBeginningTests {
    private static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        _ = fputs(text, file)
        fclose(file)
    }

    @Test(
        "is named in a warning if something is missing",
        arguments: [
            (nil, nil, DatabaseBeginning.absent), ("", nil, .empty), ("x", nil, .present), (nil, "x", .logAlone), ("", "x", .logAlone),
            ("x", "x", .present), ("", "", .empty), (nil, "", .absent),
        ] as [(String?, String?, DatabaseBeginning)])
    func kinds(file: String?, log: String?, expected: DatabaseBeginning) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/virga.sqlite"
            if let file { Self.write(file, to: path) }
            if let log { Self.write(log, to: path + "-wal") }
            let found = DatabaseBeginning(ofDatabase: path)
            #expect(found == expected)
            #expect((found.warning != nil) == (expected == .empty || expected == .logAlone))
        }
    }

    @Test(
        "is unusable with a named pipe in place of a file that SQLite opens",
        arguments: [
            ("", "it"), ("-wal", "its write-ahead log"), ("-journal", "its rollback journal"), ("-shm", "its shared memory"),
        ])
    func pipes(suffix: String, name: String) async throws {
        try await withTemporaryFolder { folder in
            let (path, pipe) = (folder + "/virga.sqlite", folder + "/pipe")
            if !suffix.isEmpty { Self.write("x", to: path) }
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(symlink(pipe, path + suffix) == 0)
            #expect(DatabaseBeginning(ofDatabase: path) == .unusable(reason: "\(name) is not a regular file"))
        }
    }
}
