import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Forces files and folders to the disk, so that they survive a power failure. (fsync(2))
///
/// A new or renamed file survives only if its folder, which has its name, is forced to the disk as well.
package enum DiskSync {
    /// Forces the content of a file to the disk, or the names in a folder.
    /// - Throws: `StorageError.unusableFolder`.
    package static func sync(_ path: String) throws(StorageError) { try sync(path, skipsUnreadable: false) }

    private static func sync(_ path: String, skipsUnreadable: Bool) throws(StorageError) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if skipsUnreadable, errno == EACCES { return }
            throw failure(of: path)
        }
        defer { close(file) }
        while !force(file) {
            switch errno {
            case EINTR: continue
            // Some file systems cannot sync a folder.
            case EINVAL: return
            default: throw failure(of: path)
            }
        }
    }

    /// Forces a folder with everything in it to the disk.
    /// - Throws: `StorageError.unusableFolder`.
    package static func syncTree(_ path: String) throws(StorageError) {
        for name in DataFolder.names(in: path) {
            let path = path + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try syncTree(path)
            case S_IFREG: try sync(path)
            default: break
            }
        }
        try sync(path)
    }

    /// Forces the name of a file or folder to the disk, which is in the folder above it. If this user cannot read that folder, another
    /// user has created the name.
    /// - Throws: `StorageError.unusableFolder`.
    package static func syncName(of path: String) throws(StorageError) {
        let end = path.lastIndex(of: "/")
        try sync(end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".", skipsUnreadable: true)
    }

    private static func force(_ file: Int32) -> Bool {
        #if canImport(Darwin)
            // On Darwin, fsync(2) leaves the data in the cache of the drive.
            fcntl(file, F_FULLFSYNC) == 0 || errno == ENOTSUP && fsync(file) == 0
        #else
            fsync(file) == 0
        #endif
    }

    private static func failure(of path: String) -> StorageError {
        .unusableFolder(path: path, reason: String(cString: strerror(errno)))
    }
}
