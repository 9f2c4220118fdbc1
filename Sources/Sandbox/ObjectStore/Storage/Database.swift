package import SQLite
import Synchronization
import WireFormats

/// The database of one sandbox: an SQLite file in write-ahead mode, which any thread can read and one thread writes.
///
/// Point queries run on the calling thread, because they are faster than a thread switch. Listings and large bodies are read on a pool.
/// Concurrent writes share a commit.
///
/// Acknowledged writes survive a crash of the process, because the kernel has them. By default the database does not fsync
/// (`synchronous=OFF`): a power failure or a crash of the kernel can corrupt the file. A synced database survives that with every
/// acknowledged write: each commit syncs the log once, for all writes that share it. This needs `synchronous=FULL`, because `NORMAL` syncs
/// the log only before a checkpoint, and a power failure undoes the commits after the last one.
/// (https://sqlite.org/pragma.html#pragma_synchronous)
package final class Database: Sendable {
    /// The memory and space that a database may use.
    package struct Limits: Sendable {
        /// The page cache of the writing connection, in KiB.
        package var writerCache = 8192
        /// The page cache of each reading connection, in KiB.
        package var readerCache = 2048
        /// How many reading connections of each purpose are kept open when they are not used.
        package var idleReaders = Int.max
        /// The size of the file in bytes; `nil` for no limit of our own.
        package var size: Int64?

        package init() {}

        /// The limits of one sandbox among many.
        package static let small: Limits = {
            var limits = Limits()
            (limits.writerCache, limits.readerCache, limits.idleReaders) = (1024, 512, 4)
            return limits
        }()
    }

    private let folder: DataFolder
    /// What the file was before it was opened.
    package var beginning: DatabaseBeginning { folder.beginning }
    private let writes: WriteQueue
    private let recordReads: ReadConnections
    private let pieceReads: ReadConnections
    private let threads: DatabaseThreads
    /// Whether ``close()`` ends the threads: nothing else uses them.
    private let ownsThreads: Bool
    private let reads: ReadLane

    /// Opens or creates the database `virga.sqlite` in a folder, which is created if needed and locked against other processes.
    /// - Throws: ``StorageError``
    package convenience init(folder path: String) throws(StorageError) {
        try self.init(folder: DataFolder(path: path), limits: Limits(), threads: nil)
    }

    /// Opens or creates the database `virga.sqlite` in a folder whose owner has locked it or a folder above it.
    /// - Parameters:
    ///   - path: a folder that exists.
    ///   - isSynced: whether acknowledged writes survive a power failure.
    ///   - threads: the threads to share; they outlive the database.
    /// - Throws: ``StorageError``
    package convenience init(
        at path: String, limits: Limits = Limits(), isSynced: Bool = false, threads: DatabaseThreads
    ) throws(StorageError) {
        try self.init(folder: DataFolder(unlocked: path), limits: limits, isSynced: isSynced, threads: threads)
    }

    /// Removes a temporary folder at once, for a process that exits now.
    package func abandon() { folder.release() }

    /// Creates a database in a temporary folder that ``close()`` removes.
    package convenience init() throws(StorageError) {
        try self.init(folder: DataFolder(), limits: Limits(), threads: nil)
    }

    private init(folder: DataFolder, limits: Limits, isSynced: Bool = false, threads: DatabaseThreads?) throws(StorageError) {
        self.folder = folder
        self.threads = threads ?? DatabaseThreads()
        ownsThreads = threads == nil
        reads = ReadLane(self.threads.readers)
        let path = folder.databasePath
        do {
            if case .unusable(let reason) = folder.beginning { throw StorageError.unusableFolder(path: path, reason: reason) }
            let connection = try Connection(path: path)
            do { try Schema.cloud.check(connection) } catch {
                // A file that is refused stays as it is, and so does its log.
                connection.skipCheckpointAtClose()
                throw error
            }
            // The change of a new file to a log syncs it four times, if `synchronous` is not off before.
            try connection.execute(
                """
                PRAGMA page_size = \(pageSize);
                PRAGMA synchronous = \(isSynced ? "FULL" : "OFF");
                PRAGMA journal_mode = WAL;
                PRAGMA wal_autocheckpoint = 1000;
                PRAGMA foreign_keys = ON;
                PRAGMA secure_delete = OFF;
                PRAGMA cache_size = -\(limits.writerCache);
                PRAGMA journal_size_limit = 67108864;
                PRAGMA temp_store = MEMORY;
                PRAGMA fullfsync = ON;
                PRAGMA checkpoint_fullfsync = ON;
                """)
            try Schema.cloud.migrate(connection)
            if isSynced { try folder.sync() }
            if let size = limits.size { try connection.execute("PRAGMA max_page_count = \(max(size / pageSize, 64))") }
            writes = WriteQueue(connection: LentConnection(connection: connection), threads: self.threads.writers)
            recordReads = ReadConnections(path: path, for: .records, limits)
            pieceReads = ReadConnections(path: path, for: .pieces, limits)
        } catch let error as StorageError {
            folder.release()
            throw error
        } catch {
            folder.release()
            throw StorageError(error, path: path)
        }
    }

    deinit {
        guard folder.isRemovedAtEnd else { return }
        // Closing and removing the files takes milliseconds, and the last user may be a thread that serves requests.
        threads.cleaner.submit { [folder, writes, recordReads, pieceReads] _ in
            recordReads.close()
            pieceReads.close()
            // The last connection to close would write the log into the file.
            writes.discard()
            folder.removeDiscarded()
        }
    }

    /// Removes the folder when nothing uses the database any more: neither a request nor the body of a response.
    package func discard() { folder.removeAtEnd() }

    /// Removes the file, but not its folder, when nothing uses the database any more.
    package func discardFile() { folder.removeDatabaseAtEnd() }

    /// Reads on the calling thread, for point queries by key that take a few microseconds.
    package func read<T>(_ body: (Connection) throws -> T) throws -> T {
        try recordReads.withConnection(body)
    }

    /// Reads on a thread of the pool, for listings.
    ///
    /// A cancellation does not end the wait: SQLite runs a statement to its end. The wait ends with the reads that came before and with
    /// `body`, or with ``StorageError/closed``.
    package func readInPool<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submitRead(body, on: recordReads) { continuation.resume(with: $0) }
        }
    }

    /// Starts a read on a thread of the pool, for the pieces of large bodies. `completion` is called on that thread.
    package func readLargeInPool<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        submitRead(body, on: pieceReads, completion: completion)
    }

    private func submitRead<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T, on connections: ReadConnections,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        reads.submit { isActive in
            guard isActive else { return completion(.failure(StorageError.closed)) }
            completion(Result { try connections.withConnection(body) })
        }
    }

    /// Writes in a transaction that other waiting writes may share. If `body` throws, only its own changes are rolled back. When this
    /// returns, the result survives a crash of the process.
    ///
    /// A cancellation does not end the wait: a submitted write is performed, and its caller must learn the outcome. The wait ends with the
    /// commit or its failure, or with ``StorageError/closed``.
    /// - Parameters:
    ///   - checksFirst: whether `body` changes nothing before its last check, see ``submit(size:checksFirst:_:completion:)``.
    ///   - committed: called on the writing thread after the commit and before the next write, so that state in memory changes in the
    ///     order of the commits. It is not called after an error.
    @discardableResult
    package func write<T: Sendable>(
        checksFirst: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T,
        committed: (@Sendable (T) -> Void)? = nil
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit(checksFirst: checksFirst, body) { result in
                if case .success(let value) = result { committed?(value) }
                continuation.resume(with: result)
            }
        }
    }

    /// Starts a write like ``write(_:committed:)``; `completion` is called on the writing thread, after the commit and before the next
    /// write.
    /// - Parameters:
    ///   - size: the number of bytes of the write, if it is large.
    ///   - checksFirst: whether `body` changes nothing before its last check. Such a write needs no savepoint, which costs a third as much
    ///     as the write of a small object. If it fails after a change nevertheless, as when the disk is full, the writes before it in the
    ///     same transaction fail, too.
    package func submit<T: Sendable>(
        size: Int = 0, checksFirst: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void
    ) {
        writes.submit(
            WriteQueue.Write(
                perform: { connection, sharesTransaction in
                    let changes = connection.changeCount
                    let result = Result {
                        try sharesTransaction && !checksFirst ? connection.savepoint { try body(connection) } : body(connection)
                    }
                    if case .failure(let error) = result {
                        if sharesTransaction, checksFirst, connection.changeCount != changes { connection.rollBack() }
                        return .init(error: error) { _ in completion(result) }
                    }
                    return .init(error: nil) { failure in completion(failure.map(Result.failure) ?? result) }
                }, size: size,
                abandon: { completion(.failure($0)) }))
    }

    /// Returns free space to the file system by rewriting the file without its free pages. Reads continue in the meantime; writes wait.
    /// (https://sqlite.org/lang_vacuum.html) Returning free pages continuously would halve the write speed of large bodies.
    ///
    /// A cancellation does not end the wait, as with a write: SQLite cannot leave the file half rewritten.
    /// - Returns: the number of bytes by which the file became smaller.
    package func compact() async throws -> Int64 {
        try await withCheckedThrowingContinuation { continuation in
            writes.submit(
                WriteQueue.Write(
                    perform: { connection, _ in
                        let result = Result {
                            let before = try connection.fileSize()
                            try connection.execute("VACUUM")
                            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                            return before - (try connection.fileSize())
                        }
                        return .init(error: nil) { _ in continuation.resume(with: result) }
                    }, isAlone: true,
                    abandon: { continuation.resume(throwing: $0) }))
        }
    }

    /// Finishes waiting writes and reads, runs a checkpoint and closes the file. A temporary database is removed. Later calls have no
    /// effect; later reads and writes fail with ``StorageError/closed``.
    ///
    /// A cancellation does not end the wait: the folder must not be released before the threads have left the file.
    package func close() async {
        var writer = await writes.close()
        if writer == nil { return }
        await reads.close()
        if ownsThreads { await threads.close() }
        recordReads.close()
        pieceReads.close()
        // Without the checkpoint, the next start has to recover from the log, which is only slower.
        if folder.isRemovedAtEnd {
            writer?.connection.skipCheckpointAtClose()
        } else {
            try? writer?.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        // This closes the file, which must happen before another process can open it.
        writer = nil
        folder.release()
    }
}

/// The size of a database page in bytes.
private let pageSize: Int64 = 16_384

extension Connection {
    fileprivate func fileSize() throws -> Int64 {
        let pages = try first("PRAGMA page_count") { $0.integer(0) } ?? 0
        return pages * (try first("PRAGMA page_size") { $0.integer(0) } ?? 0)
    }
}

extension StorageError {
    /// Converts an error of opening the file at `path` to one for the user.
    init(_ error: any Error, path: String) {
        switch error {
        case SchemaError.foreignFile: self = .foreignFile(path: path)
        case SchemaError.otherVersion(let found, let known): self = .otherVersion(path: path, found: found, known: known)
        case SchemaError.otherTables(let version): self = .otherTables(path: path, version: version)
        case let error as SQLiteError where error.isNotADatabase: self = .foreignFile(path: path)
        case let error as SQLiteError where error.isAccessRefusal: self = .unusableFolder(path: path, reason: error.message)
        case let error as SQLiteError: self = .unreadableFile(path: path, error)
        default: self = .unreadableFile(path: path, SQLiteError(extendedCode: 1, message: "\(error)"))
        }
    }
}
