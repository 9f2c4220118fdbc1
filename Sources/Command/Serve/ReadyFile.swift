import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file that exists while the server is ready.
final class ReadyFile: Sendable {
    let path: String
    /// The file that this process wrote. Another file with the same name belongs to another server.
    private let own = Mutex<FileIdentity?>(nil)

    init(path: String) { self.path = path }

    /// Removes the file of an earlier process.
    /// - Throws: `Failure` for a path that is not a regular file.
    func removeStale() throws {
        guard let present = FileIdentity(path) else { return }
        guard present.isRegular else { throw Failure(description: "\(path) exists and is not a regular file") }
        unlink(path)
    }

    /// Writes the file atomically.
    func write(_ text: String) throws {
        try PrivateFile.write(text, to: path, mode: 0o644)
        own.withLock { $0 = FileIdentity(path) }
    }

    /// Removes the file if this process wrote it.
    func remove() {
        own.withLock { own in
            if let written = own, written == FileIdentity(path) { unlink(path) }
            own = nil
        }
    }
}

/// The identity of the file at a path.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    let isRegular: Bool

    /// - Parameter followsLinks: whether a symbolic link is resolved.
    /// - Returns: `nil` if there is no file.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
