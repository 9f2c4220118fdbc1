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

    /// Looks at a database that nothing has open.
    init(ofDatabase path: String) {
        func size(_ path: String) -> Int64? {
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_size) : nil
        }
        let file = size(path)
        if let file, file > 0 {
            self = .present
        } else if size(path + "-wal") ?? 0 > 0 {
            self = .logAlone
        } else {
            self = file == nil ? .absent : .empty
        }
    }

    /// A warning for the log of the process; `nil` if nothing is missing.
    package var warning: String? {
        switch self {
        case .absent, .present: nil
        case .empty: "The database file was empty. It is now the database of a new cloud"
        case .logAlone:
            """
            The database file was missing or empty, beside a write-ahead log. The log cannot be used without its file and was removed. \
            The database is that of a new cloud
            """
        }
    }
}
