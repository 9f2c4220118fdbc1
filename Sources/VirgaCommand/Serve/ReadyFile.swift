import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file that is there while the server is ready.
final class ReadyFile: Sendable {
    let path: String
    /// The file that this process wrote; another one of the same name is another server's.
    private let own = Mutex<FileIdentity?>(nil)

    init(path: String) { self.path = path }

    /// Removes what an earlier process left behind.
    /// - Throws: `Failure` for a path that no file can be written to.
    func removeStale() throws {
        guard let present = FileIdentity(path) else { return }
        guard present.isRegular else { throw Failure(description: "\(path) is no file that could be written") }
        unlink(path)
    }

    /// Writes the file, whole from the first moment that it is there.
    func write(_ text: String) throws {
        try PrivateFile.write(text, to: path, mode: 0o644)
        own.withLock { $0 = FileIdentity(path) }
    }

    /// Removes the file, if it is still the one that was written.
    func remove() {
        own.withLock { own in
            if let written = own, written == FileIdentity(path) { unlink(path) }
            own = nil
        }
    }
}

/// Which file a path leads to.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    let isRegular: Bool

    /// - Parameter followsLinks: whether a link counts for what it leads to.
    /// - Returns: `nil` if there is no file.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
