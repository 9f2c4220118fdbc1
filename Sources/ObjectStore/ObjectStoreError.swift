package import SQLite

/// A refusal by the object store.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// The bucket does not exist, or no longer.
    case noSuchBucket
    /// A bucket of this name belongs to `owner`.
    case bucketExists(owner: String)
    /// The bucket holds an object; unfinished uploads do not count.
    case bucketNotEmpty
    /// The object that a copy or a precondition needs does not exist.
    case noSuchKey
    case preconditionFailed
    /// The key leads to a delete marker where an object is needed.
    case isDeleteMarker
    /// A lock forbids it.
    case locked
    /// A rule of the bucket forbids replacing what is there.
    case overwritingForbidden
    /// What is under the key does not grow.
    case notAppendable
    /// The object grew and does so no more.
    case sealed
    /// The object that is to grow has another length.
    case wrongPosition(length: Int64)
    /// The upload was never started, or has been completed or aborted.
    case noSuchUpload
    /// The part number is out of range, the part was not uploaded, or its tag or checksum differs.
    case invalidPart(number: Int)
    /// The parts of a completion are not in ascending order.
    case invalidPartOrder
    /// A part other than the last has fewer bytes than a part must have.
    case partTooSmall(number: Int, size: Int64)
    /// A body has more than 256 GiB.
    case bodyTooLarge
    /// The body was discarded or has been used.
    case bodyDiscarded
    /// The database failed, for example because the disk is full.
    case storage(SQLiteError)
    /// The database has been closed.
    case closed
}

extension ObjectStoreError {
    /// Names an error that came out of the database.
    package init(_ error: any Error) {
        switch error {
        case let error as ObjectStoreError: self = error
        case let error as SQLiteError where error.isForeignKeyViolation: self = .noSuchBucket
        case let error as SQLiteError: self = .storage(error)
        case StorageError.sqlite(let error): self = .storage(error)
        case is StorageError: self = .closed
        default: self = .storage(SQLiteError(extendedCode: 1, message: "\(error)"))
        }
    }
}
