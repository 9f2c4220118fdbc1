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

@Suite("Temporary folders of killed processes")
struct AbandonedFolderTests {
    /// Makes a folder with a lock file that is an hour or more old.
    private func makeFolder(_ name: String, in parent: String, lock: String = "virga-temporary.lock", mode: mode_t = 0o700) -> String {
        let folder = "\(parent)/\(name)"
        mkdir(folder, 0o700)
        for file in ["virga.sqlite", lock] { close(open("\(folder)/\(file)", O_WRONLY | O_CREAT, 0o600)) }
        let old = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        utimes("\(folder)/\(lock)", old)
        chmod(folder, mode)
        return folder
    }

    @Test("are removed; those of running processes and other folders are not")
    func removal() async throws {
        try await withTemporaryFolder { parent in
            let abandoned = makeFolder("virga-aaaaaa", in: parent)
            let running = makeFolder("virga-bbbbbb", in: parent)
            let lock = open(running + "/virga-temporary.lock", O_RDWR)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            let starting = makeFolder("virga-cccccc", in: parent)
            utimes(starting + "/virga-temporary.lock", nil)
            let kept = [
                running, starting, makeFolder("virga-dddddd", in: parent, lock: "virga.lock"),
                makeFolder("virga-eeeeee", in: parent, mode: 0o755), makeFolder("other", in: parent),
            ]
            DataFolder.removeAbandoned(in: parent)
            #expect(!fileExists(abandoned))
            for folder in kept { #expect(fileExists(folder + "/virga.sqlite"), "\(folder)") }
        }
    }

    @Test("Names of files are not taken for none where a folder cannot be read")
    func names() async throws {
        try await withTemporaryFolder { parent in
            close(open(parent + "/file", O_WRONLY | O_CREAT, 0o600))
            let (names, none) = (try DataFolder.allNames(in: parent), try DataFolder.allNames(in: parent + "/nothing"))
            #expect(names == ["file"])
            #expect(none.isEmpty)
            #expect(throws: StorageError.self) { try DataFolder.allNames(in: parent + "/file") }
        }
    }
}
