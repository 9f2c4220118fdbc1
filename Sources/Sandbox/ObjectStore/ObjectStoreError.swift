package import SQLite
import WireFormats

/// An error of the object store.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// The bucket does not exist, or no longer exists.
    case noSuchBucket
    /// A bucket of this name belongs to `owner`.
    case bucketExists(owner: String)
    /// The bucket contains an object. Unfinished uploads do not count.
    case bucketNotEmpty
    /// The object that a copy or a precondition needs does not exist.
    case noSuchKey
    case preconditionFailed
    /// The current version is a delete marker, but an object is required.
    case isDeleteMarker
    /// An object lock prevents the operation.
    case locked
    /// A rule of the bucket forbids overwriting the object.
    case overwritingForbidden
    /// The object is not appendable.
    case notAppendable
    /// The appendable object is sealed.
    case sealed
    /// The position of an append is not the current length of the object.
    case wrongPosition(length: Int64)
    /// The upload was never started, or has been completed or aborted.
    case noSuchUpload
    /// The part number is out of range, the part was not uploaded, or its tag or checksum differs.
    case invalidPart(number: Int)
    /// The parts of a completion are not in ascending order.
    case invalidPartOrder
    /// A part other than the last is smaller than the minimum size.
    case partTooSmall(number: Int, size: Int64)
    /// A body is larger than 256 GiB.
    case bodyTooLarge
    /// The body was discarded or is already published.
    case bodyDiscarded
    /// The database failed, for example because the disk is full.
    case storage(SQLiteError)
    /// The database has been closed.
    case closed
}

extension ObjectStoreError {
    /// Converts an error of the database.
    package init(_ error: any Error) {
        switch error {
        case let error as ObjectStoreError: self = error
        case let error as SQLiteError where error.isForeignKeyViolation: self = .noSuchBucket
        case let error as SQLiteError: self = .storage(error)
        case StorageError.sqlite(let error), StorageError.unreadableFile(_, let error): self = .storage(error)
        case is StorageError: self = .closed
        default: self = .storage(SQLiteError(extendedCode: 1, message: "\(error)"))
        }
    }
}
