import SQLite

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

    /// Copies the file into a folder as the database of a sandbox. The copy shares the blocks of the original where the file system can
    /// do that (FICLONE, ioctl_ficlonerange(2)); elsewhere the kernel copies (sendfile(2)).
    /// - Parameter folder: is created if it does not exist.
    /// - Throws: `StorageError.unusableFolder`; no file remains then.
    package func copy(into folder: String) throws(StorageError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(of: folder) }
        let target = folder + "/" + DataFolder.databaseName
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure(of: path) }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { throw failure(of: target) }
        defer { close(copy) }
        guard Self.clone(source, to: copy) || Self.copyBytes(from: source, to: copy) else {
            let error = failure(of: target)
            unlink(target)
            throw error
        }
    }

    private func failure(of path: String) -> StorageError {
        .unusableFolder(path: path, reason: String(cString: strerror(errno)))
    }

    #if os(Linux)
        /// `FICLONE`, which the header spells as an expression that Swift does not import: `_IOW(0x94, 9, int)`.
        private static let ficlone: UInt = 0x4004_9409

        private static func clone(_ source: Int32, to copy: Int32) -> Bool { ioctl(copy, ficlone, source) == 0 }

        private static func copyBytes(from source: Int32, to copy: Int32) -> Bool {
            while true {
                let count = sendfile(copy, source, nil, 1 << 30)
                if count == 0 { return true }
                if count < 0, errno != EINTR { return false }
            }
        }
    #else
        private static func clone(_ source: Int32, to copy: Int32) -> Bool { false }

        private static func copyBytes(from source: Int32, to copy: Int32) -> Bool {
            fcopyfile(source, copy, nil, copyfile_flags_t(COPYFILE_DATA)) == 0
        }
    #endif
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
