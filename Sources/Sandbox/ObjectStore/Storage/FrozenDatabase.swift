import SQLite
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A database file that no connection has open, so that it can be copied as a file.
package struct FrozenDatabase: Sendable {
    /// The path of the file.
    package let path: String

    /// - Parameter path: a file that no connection has open.
    package init(path: String) { self.path = path }

    /// The size in bytes; 0 if the file does not exist.
    package var size: Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// The ways to copy a file, the fastest first. Each continues where the one before it stopped.
    enum CopyMethod: CaseIterable {
        /// The copy shares the blocks of the original. XFS, Btrfs and APFS can do that.
        case share
        /// The kernel copies.
        case copyInKernel
        /// The process reads and writes.
        case readAndWrite
    }

    /// Copies the file into a folder as the database of a sandbox.
    /// - Parameter folder: is created if it does not exist.
    /// - Throws: `StorageError.unusableFolder`; no file remains then.
    package func copy(into folder: String) throws(StorageError) { try copy(into: folder, by: CopyMethod.allCases) }

    /// Moves the file into a folder as the database of a sandbox, for a state that is needed once.
    /// - Parameter folder: is created if it does not exist, in the same file system.
    /// - Throws: `StorageError.unusableFolder`.
    package func move(into folder: String) throws(StorageError) {
        let target = folder + "/" + DataFolder.databaseName
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(of: folder) }
        guard chmod(path, 0o600) == 0, rename(path, target) == 0 else { throw failure(of: target) }
    }

    /// Copies the file by the first of some methods that the file systems support.
    func copy(into folder: String, by methods: [CopyMethod]) throws(StorageError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(of: folder) }
        let target = folder + "/" + DataFolder.databaseName
        guard let source = RegularFile.open(path) else { throw .unusableFolder(path: path, reason: RegularFile.reason) }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw failure(of: target) }
        defer { close(copy) }
        guard methods.contains(where: { $0.copy(source, to: copy) }) else {
            let error = failure(of: target)
            unlink(target)
            throw error
        }
    }

    private func failure(of path: String) -> StorageError {
        .unusableFolder(path: path, reason: String(cString: strerror(errno)))
    }
}

extension FrozenDatabase.CopyMethod {
    /// Copies the rest of a file.
    /// - Returns: whether it is complete; `errno` has the reason if not.
    fileprivate func copy(_ source: Int32, to copy: Int32) -> Bool {
        switch self {
        case .share: Self.share(source, to: copy)
        case .copyInKernel: Self.copyInKernel(source, to: copy)
        case .readAndWrite: Self.readAndWrite(source, to: copy)
        }
    }

    #if os(Linux)
        /// `FICLONE`, which the header spells as an expression that Swift does not import: `_IOW(0x94, 9, int)`.
        /// (ioctl_ficlonerange(2))
        private static let ficlone: UInt = 0x4004_9409

        private static func share(_ source: Int32, to copy: Int32) -> Bool { ioctl(copy, ficlone, source) == 0 }

        /// (sendfile(2)) Swift does not import copy_file_range(2), which copies in the same way where blocks cannot be shared.
        private static func copyInKernel(_ source: Int32, to copy: Int32) -> Bool {
            while true {
                let count = sendfile(copy, source, nil, 1 << 30)
                if count == 0 { return true }
                if count < 0, errno != EINTR { return false }
            }
        }
    #else
        private static func share(_ source: Int32, to copy: Int32) -> Bool { false }

        private static func copyInKernel(_ source: Int32, to copy: Int32) -> Bool {
            fcopyfile(source, copy, nil, copyfile_flags_t(COPYFILE_DATA)) == 0
        }
    #endif

    private static func readAndWrite(_ source: Int32, to copy: Int32) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
            while true {
                let count = read(source, buffer.baseAddress, buffer.count)
                if count == 0 { return true }
                guard count > 0 else {
                    if errno == EINTR { continue }
                    return false
                }
                var written = 0
                while written < count {
                    let more = write(copy, buffer.baseAddress?.advanced(by: written), count - written)
                    if more < 0, errno != EINTR { return false }
                    written += max(more, 0)
                }
            }
        }
    }
}

extension Database {
    /// Writes a copy of the present state into a new file, which no connection has open afterwards. Writes go on meanwhile.
    /// - Throws: `SQLiteError` or `StorageError`; the file is removed then.
    package func copy(to path: String) async throws -> FrozenDatabase {
        do {
            try await readInPool { connection in try connection.copy(to: path) }
        } catch {
            unlink(path)
            throw error
        }
        return FrozenDatabase(path: path)
    }
}
