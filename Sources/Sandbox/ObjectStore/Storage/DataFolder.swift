import Synchronization
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of databases. It is locked against other processes until it is released.
///
/// The kernel releases the lock when the process ends, for any reason.
package final class DataFolder: Sendable {
    /// The path, without a slash at the end.
    package let path: String
    private let isTemporary: Bool
    private let lock: Mutex<Int32?>
    private let removal = Mutex(Removal.none)
    /// What the database was before this value was made.
    package let beginning: DatabaseBeginning

    /// What is removed when nothing uses the folder any more.
    private enum Removal {
        case none, database, folder
    }

    var databasePath: String { path + "/\(Self.databaseName)" }
    /// The name of the file that holds a sandbox.
    package static let databaseName = "virga.sqlite"
    /// The name of the mark beside a database that no sandbox has: an empty file. The start of a process removes only databases with it.
    package static let unownedName = "virga.sqlite-unowned"

    /// Uses a folder inside one that is locked already. Creates it if it does not exist.
    /// - Throws: `StorageError.unusableFolder`.
    package init(unlocked path: String) throws(StorageError) {
        self.path = path
        isTemporary = false
        lock = Mutex(nil)
        beginning = DatabaseBeginning(ofDatabase: path + "/" + Self.databaseName)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .unusableFolder(path: path, reason: reasonOfLastFailure())
        }
    }

    /// Uses the folder at `path`. Creates it and its parents if they do not exist.
    /// - Parameter isSynced: whether folders that are created survive a power failure.
    /// - Throws: `StorageError`.
    package convenience init(path: String, isSynced: Bool = false) throws(StorageError) {
        var end = path.startIndex
        while end != path.endIndex {
            end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
            let folder = String(path[..<end])
            if mkdir(folder, 0o700) == 0 {
                if isSynced { try DiskSync.syncName(of: folder) }
            } else if errno != EEXIST, end == path.endIndex {
                throw .unusableFolder(path: path, reason: reasonOfLastFailure())
            }
        }
        try self.init(path: path, isTemporary: false)
    }

    /// Creates a temporary folder in the system's temporary folder. ``release()`` removes it; of a process that was killed, the next one does.
    /// - Throws: `StorageError.unusableFolder`.
    package convenience init() throws(StorageError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        Self.removeAbandoned(in: parent)
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
        let file = open("\(path)/\(isTemporary ? Self.temporaryLockName : "virga.lock")", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unusableFolder(path: path, reason: reasonOfLastFailure()) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .inUse(path: path)
        }
        lock = Mutex(file)
        beginning = DatabaseBeginning(ofDatabase: path + "/" + Self.databaseName)
        // The database contains secrets. It is created here, so that only its owner can access it and its accompanying files.
        let database = open(databasePath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if database >= 0 { close(database) }
    }

    /// The name of the lock of a temporary folder. No other folder has it, so that a data folder of the user is never taken for a temporary one.
    package static let temporaryLockName = "virga-temporary.lock"

    /// Removes the temporary folders of processes that were killed: those of this user, which nobody else can access and nothing has locked.
    static func removeAbandoned(in parent: String) {
        for name in names(in: parent) where name.hasPrefix("virga-") {
            let path = "\(parent)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700, status.st_uid == geteuid() else {
                continue
            }
            let file = open("\(path)/\(temporaryLockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { continue }
            defer { close(file) }
            // A process that has just created its lock is about to take it.
            guard fstat(file, &status) == 0, status.lastChange + 60 < Timestamp.now().seconds, flock(file, LOCK_EX | LOCK_NB) == 0 else {
                continue
            }
            remove(path)
        }
    }

    deinit {
        release()
        removeDiscarded()
    }

    /// Whether something is removed when nothing uses the folder any more.
    var isRemovedAtEnd: Bool { removal.withLock { $0 != .none } }

    /// Removes what is to be removed, once.
    func removeDiscarded() {
        let removal = removal.withLock { removal in
            defer { removal = .none }
            return removal
        }
        switch removal {
        case .none: break
        case .database: Self.removeDatabase(in: path)
        case .folder: Self.removeWithDatabase(path)
        }
    }

    /// Removes the database in a folder with its accompanying files, and nothing else.
    package static func removeDatabase(in folder: String) {
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/\(databaseName)\(suffix)") }
        // The mark is last, so that the next process continues if this one is killed.
        unlink("\(folder)/\(unownedName)")
    }

    /// Removes a folder with everything in it, its database first.
    package static func removeWithDatabase(_ folder: String) {
        removeDatabase(in: folder)
        remove(folder)
    }

    /// Removes the folder with everything in it when nothing uses it any more.
    func removeAtEnd() { removal.withLock { $0 = .folder } }

    /// Removes the database, but not the folder, when nothing uses it any more.
    func removeDatabaseAtEnd() { removal.withLock { $0 = .database } }

    /// Removes a file, or a folder with everything in it. Links are removed, not followed.
    /// - Returns: whether nothing is left.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        guard unlink(path) != 0, errno != ENOENT else { return true }
        for name in names(in: path) { remove(path + "/" + name) }
        return rmdir(path) == 0
    }

    /// Returns the names of the files and folders in a folder; none if it cannot be read.
    package static func names(in path: String) -> [String] { (try? allNames(in: path)) ?? [] }

    /// Returns the names of the files and folders in a folder; none if there is no such folder.
    /// - Throws: `StorageError.unusableFolder` if it cannot be read. That is also so for a link that leads to no folder: what it names may be on
    ///   a disk that is not mounted.
    package static func allNames(in path: String) throws(StorageError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT {
                guard isAbsent(path) else { throw .unusableFolder(path: path, reason: "its link leads to no folder") }
                return []
            }
            throw .unusableFolder(path: path, reason: reasonOfLastFailure())
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .unusableFolder(path: path, reason: reasonOfLastFailure()) }
        return names
    }

    /// Returns whether there is nothing at a path, not even a link that leads nowhere.
    package static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }

    /// Forces the database and the names that lead to it to the disk. An earlier process or a copy may not have done so.
    func sync() throws(StorageError) {
        for suffix in ["", "-wal"] where access(databasePath + suffix, F_OK) == 0 { try DiskSync.sync(databasePath + suffix) }
        try DiskSync.sync(path)
        try DiskSync.syncName(of: path)
    }

    /// Ends the use of the folder: deletes a temporary folder with everything in it, and unlocks any other.
    package func release() {
        let file = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let file else { return }
        defer { close(file) }
        guard isTemporary else { return }
        Self.remove(path)
    }
}

extension stat {
    /// When the content of the file last changed, in seconds since 1970.
    fileprivate var lastChange: Int64 {
        #if canImport(Darwin)
            Int64(st_mtimespec.tv_sec)
        #else
            Int64(st_mtim.tv_sec)
        #endif
    }
}

/// Returns why the last system call failed, and what to do if a container often causes it.
private func reasonOfLastFailure() -> String {
    let code = errno
    let reason = String(cString: strerror(code))
    return switch code {
    case EACCES, EPERM: "\(reason). User \(geteuid()) must be able to write there"
    case EROFS: "\(reason). Mount a writable volume there, or choose another folder"
    default: reason
    }
}
