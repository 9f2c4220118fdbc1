import SQLite
import Synchronization
import WireFormats

/// The buckets and objects of one sandbox. The store is independent of dialects, and has no clock and no hashing of its own.
///
/// A body is staged first (``stage(expecting:)``) and becomes visible in one short transaction, which also checks the write's
/// precondition. Buckets are kept in memory; everything else is in the database.
package final class ObjectStore: Sendable {
    let database: Database
    let contents: Contents
    let sequences = VersionSequences()
    let buckets: Mutex<BucketTable>
    /// The turns of those who read long listings and write documents of them: as many as hold their rows at a time.
    package let listingTurns = Turns(limit: 32)

    /// Loads the buckets, and starts to delete the bodies that an earlier process staged but did not publish.
    package init(database: Database) throws(ObjectStoreError) {
        self.database = database
        do {
            contents = try Contents(database: database)
            let loaded = try database.read { connection in try connection.buckets() }
            buckets = Mutex(BucketTable(loaded))
        } catch {
            throw ObjectStoreError(error)
        }
    }

    /// Returns a writer for a body, which a put or an upload of a part then publishes.
    /// - Parameter size: the expected number of bytes, if it is known; saves memory for small bodies.
    package func stage(expecting size: Int64? = nil) -> BodyWriter {
        BodyWriter(database: database, contents: contents, expecting: size)
    }

    /// Counts the objects of all buckets, without earlier versions.
    package func countObjects() async throws(ObjectStoreError) -> Int64 {
        try await readInPool { try $0.first(WholeStoreStatement.objectCount.rawValue) { $0.integer(0) } ?? 0 }
    }

    /// Removes every bucket, object and upload. Bodies that are being read remain readable.
    package func reset() async throws(ObjectStoreError) {
        try await write { connection -> [ContentID] in
            let contents = try connection.all(WholeStoreStatement.usedContents.rawValue) { ContentID(number: $0.integer(0)) }
            for statement in ResetStatement.allCases { try connection.run(statement.rawValue) }
            try connection.run(WholeStoreStatement.releaseContents.rawValue)
            return contents
        } committed: { released in
            self.buckets.withLock { $0 = BucketTable() }
            self.contents.release(released)
        }
    }

    @discardableResult
    func write<T: Sendable>(
        checksFirst: Bool = false, _ body: @escaping @Sendable (Connection) throws -> T, committed: (@Sendable (T) -> Void)? = nil
    ) async throws(ObjectStoreError) -> T {
        do { return try await database.write(checksFirst: checksFirst, body, committed: committed) } catch { throw ObjectStoreError(error) }
    }

    func read<T>(_ body: (Connection) throws -> T) throws(ObjectStoreError) -> T {
        do { return try database.read(body) } catch { throw ObjectStoreError(error) }
    }

    func readInPool<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws(ObjectStoreError) -> T {
        do { return try await database.readInPool(body) } catch { throw ObjectStoreError(error) }
    }
}
