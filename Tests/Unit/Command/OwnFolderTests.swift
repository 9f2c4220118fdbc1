import Testing
import WireFormats

@testable import VirgaCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("The folder for the files of virga env")
struct OwnFolderTests {
    /// Runs a test with a new folder.
    private static func withFolder(_ test: (String) throws -> Void) throws {
        let folder = try PrivateFile.temporaryFolder()
        defer { remove(folder) }
        try test(folder)
    }

    /// The permissions of a file.
    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("is in the folder of the session, if only the user can use that, and else among temporary files")
    func places() throws {
        try Self.withFolder { folder in
            let own = "\(folder)/virga-\(geteuid())"
            defer {
                rmdir(own)
                rmdir("\(folder)/virga")
            }
            #expect(try OwnFolder.path(runtime: nil, temporary: folder) == own)
            #expect(try OwnFolder.path(runtime: nil, temporary: folder) == own)
            #expect(try OwnFolder.path(runtime: "\(folder)/none", temporary: folder) == own)
            #expect(try OwnFolder.path(runtime: "run", temporary: folder) == own)
            #expect(try OwnFolder.path(runtime: folder, temporary: "/none") == "\(folder)/virga")
            #expect(Self.mode(own) == 0o700)
            #expect(Self.mode("\(folder)/virga") == 0o700)
            chmod(folder, 0o755)
            #expect(try OwnFolder.path(runtime: folder, temporary: folder) == own)
        }
    }

    @Test("is refused if others can use it, or if it is a link or a file")
    func refusals() throws {
        try Self.withFolder { folder in
            let own = "\(folder)/virga-\(geteuid())"
            mkdir(own, 0o700)
            chmod(own, 0o770)
            #expect(throws: Failure.self) { try OwnFolder.path(runtime: nil, temporary: folder) }
            rmdir(own)
            symlink(folder, own)
            #expect(throws: Failure.self) { try OwnFolder.path(runtime: nil, temporary: folder) }
            unlink(own)
            try PrivateFile.write("", to: own)
            #expect(throws: Failure.self) { try OwnFolder.path(runtime: nil, temporary: folder) }
            unlink(own)
        }
    }
}
