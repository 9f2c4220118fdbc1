#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A home folder with the files of one login, which only its owner can read.
enum HomeFolder {
    /// Writes files to a folder, which is created if there is none.
    /// - Parameter files: the contents by the paths of the files in the folder.
    static func write(_ files: [String: String], to folder: String) throws {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            var parent = folder
            try makePrivate(parent)
            for name in path.split(separator: "/").dropLast() {
                parent += "/\(name)"
                try makePrivate(parent)
            }
            try PrivateFile.write(text, to: "\(folder)/\(path)")
        }
    }

    /// Creates a folder. One that is there must be the user's own, and no link.
    static func makePrivate(_ path: String) throws {
        if mkdir(path, 0o700) == 0 { return }
        let reason = String(cString: strerror(errno))
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Failure(description: "cannot create the folder \(path): \(reason)") }
        guard isPrivate(path) else {
            throw Failure(description: "cannot use the folder \(path): it is not a folder that only you can read")
        }
    }

    /// Returns whether a path is a folder, and no link, that only the user can use.
    static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }
}
