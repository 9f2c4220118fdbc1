import ObjectStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that only its owner can read. It contains only files. If the process is killed, the next one removes it, as it does with that of
/// a temporary database.
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

    /// Removes the folder and its files.
    func remove() {
        defer { close(lock) }
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
