import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder of a sandbox's database. It is locked against other processes until it is released.
///
/// The kernel releases the lock when the process ends, for any reason.
final class DataFolder: Sendable {
    let path: String
    private let isTemporary: Bool
    private let lock: Mutex<Int32?>

    var databasePath: String { path + "/virga.sqlite" }
    private var lockPath: String { path + "/virga.lock" }

    /// Uses the folder at `path`. Creates it and its parents if they do not exist.
    convenience init(path: String) throws(StorageError) {
        var end = path.startIndex
        while end != path.endIndex {
            end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
            guard mkdir(String(path[..<end]), 0o700) == 0 || errno == EEXIST || end != path.endIndex else {
                throw .unusableFolder(path: path, reason: reasonOfLastFailure())
            }
        }
        try self.init(path: path, isTemporary: false)
    }

    /// Creates a temporary folder in the system's temporary folder. ``release()`` removes it.
    convenience init() throws(StorageError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/virga-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .unusableFolder(path: parent, reason: reasonOfLastFailure())
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try self.init(path: path, isTemporary: true)
    }

    private init(path: String, isTemporary: Bool) throws(StorageError) {
        self.path = path
        self.isTemporary = isTemporary
        let file = open(path + "/virga.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unusableFolder(path: path, reason: reasonOfLastFailure()) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .inUse(path: path)
        }
        lock = Mutex(file)
        // The database contains secrets. It is created here, so that only its owner can access it and its accompanying files.
        let database = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if database >= 0 { close(database) }
    }

    deinit { release() }

    /// Ends the use of the folder: deletes a temporary folder with its database, and unlocks any other.
    func release() {
        let file = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let file else { return }
        defer { close(file) }
        guard isTemporary else { return }
        for file in [databasePath, databasePath + "-wal", databasePath + "-shm", lockPath] { unlink(file) }
        rmdir(path)
    }
}

private func reasonOfLastFailure() -> String { String(cString: strerror(errno)) }
