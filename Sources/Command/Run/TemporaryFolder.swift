import ObjectStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that only its owner can read. If the process is killed, the next one removes it, as it does with that of a temporary database.
struct TemporaryFolder {
    let path: String
    private let lock: Int32

    init() throws {
        path = try PrivateFile.temporaryFolder()
        lock = open("\(path)/\(DataFolder.temporaryLockName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(description: "cannot create a file in \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Removes the folder and what is in it.
    func remove() {
        defer { close(lock) }
        DataFolder.remove(path)
    }
}
