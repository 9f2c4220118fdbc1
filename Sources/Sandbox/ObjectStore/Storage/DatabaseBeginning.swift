import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a database was before it is opened. SQLite treats an empty file as a new database, and removes its write-ahead log.
package enum DatabaseBeginning: Hashable, Sendable {
    /// There is no file yet.
    case absent
    case present
    /// The file has no byte.
    case empty
    /// There is a write-ahead log with data, and no file or an empty one.
    case logAlone
    /// The file, or one that SQLite opens beside it, is there but cannot be used.
    case unusable(reason: String)

    /// Looks at a database that nothing has open.
    package init(ofDatabase path: String) {
        do throws(Hindrance) {
            let file = try Self.size(path, "it")
            let log = try Self.size(path + "-wal", "its write-ahead log")
            _ = try Self.size(path + "-journal", "its rollback journal")
            _ = try Self.size(path + "-shm", "its shared memory")
            if let log, log > 0, file ?? 0 == 0 {
                self = .logAlone
            } else {
                self = file.map { $0 > 0 ? .present : .empty } ?? .absent
            }
        } catch {
            self = .unusable(reason: error.reason)
        }
    }

    private struct Hindrance: Error {
        var reason: String
    }

    /// Returns the size of a file; `nil` if there is none.
    ///
    /// What is no regular file is refused: SQLite would wait for the other end of a named pipe.
    /// A link that leads to no file is refused: SQLite would create the file that it names, which may be on a disk that is not mounted.
    /// - Parameter name: what the file is, in an error.
    private static func size(_ path: String, _ name: String) throws(Hindrance) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            guard code == ENOENT || code == ENOTDIR else { throw Hindrance(reason: String(cString: strerror(code))) }
            guard lstat(path, &status) != 0 else { throw Hindrance(reason: "its link leads to no file") }
            return nil
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Hindrance(reason: "\(name) is not a regular file") }
        return Int64(status.st_size)
    }

    /// Why this is not the database of a sandbox or a snapshot that exists; `nil` if it can be.
    package var fault: String? {
        switch self {
        case .present: nil
        case .absent: "it does not exist"
        case .empty: "it is empty"
        case .logAlone: "it is missing or empty, beside a write-ahead log"
        case .unusable(let reason): reason
        }
    }

    /// A warning for the log of the process; `nil` if nothing is missing.
    package var warning: String? {
        switch self {
        case .absent, .present, .unusable: nil
        case .empty: "The database file was empty. It is now the database of a new cloud"
        case .logAlone:
            """
            The database file was missing or empty, beside a write-ahead log. The log cannot be used without its file and was removed. \
            The database is that of a new cloud
            """
        }
    }
}
