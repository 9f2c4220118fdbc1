package import SQLite
import WireFormats

/// The reason why a sandbox's database cannot be opened or used. The descriptions are for users of the command line.
package enum StorageError: Error, Hashable, Sendable {
    /// The data folder cannot be created, read or written.
    case unusableFolder(path: String, reason: String)
    /// Another process has the data folder open.
    case inUse(path: String)
    /// The file is a database of another program, or not a database.
    case foreignFile(path: String)
    /// The file was written by another version of this program.
    case otherVersion(path: String, found: Int64, known: Int)
    /// The file lacks tables of its version: a program from before the first release wrote it.
    case otherTables(path: String, version: Int)
    /// The file has rows that no sandbox has, such as an object of a negative size.
    case otherRows(table: String)
    /// SQLite could not open or read the file.
    case unreadableFile(path: String, SQLiteError)
    /// SQLite returned an error.
    case sqlite(SQLiteError)
    /// The database has been closed.
    case closed
}

extension StorageError {
    /// Returns whether a write failed because the database has its maximum size, or because the disk is full.
    package static func isFull(_ error: any Error) -> Bool {
        cause(of: error)?.isFull ?? false
    }

    /// Returns whether a write failed because the disk is full.
    package static func isDiskFull(_ error: any Error) -> Bool { cause(of: error)?.isDiskFull ?? false }

    /// Returns an error of reading a database, with its path if it is an error of SQLite.
    package static func naming(_ path: String, in error: any Error) -> any Error {
        cause(of: error).map { StorageError($0, path: path) } ?? error
    }

    private static func cause(of error: any Error) -> SQLiteError? {
        switch error {
        case StorageError.sqlite(let error), StorageError.unreadableFile(_, let error): error
        case ObjectStoreError.storage(let error): error
        default: error as? SQLiteError
        }
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unusableFolder(let path, let reason): "The data folder \(path) cannot be used: \(reason)."
        case .inUse(let path): "The data folder \(path) is in use by another process."
        case .foreignFile(let path): "\(path) is not a database of this program."
        case .otherVersion(let path, let found, let known):
            """
            \(path) has version \(found); this program reads versions 1 to \(known) and has not changed it. \
            Use \(found > known ? "a newer release of this program" : "the program that wrote it"), or another data folder.
            """
        case .otherTables(let path, let version):
            """
            \(path) has version \(version), but not the tables of that version: a program from before release 0.9.0 wrote it. \
            This program cannot upgrade it and has not changed it. Use another data folder.
            """
        case .otherRows(let table):
            "The table '\(table)' of the database has rows that no sandbox has. Use another data folder."
        case .unreadableFile(let path, let error): "The database \(path) cannot be used: \(error)."
        case .sqlite(let error): "The database failed: \(error)."
        case .closed: "The database is closed."
        }
    }
}
