import SQLite
import Synchronization

/// The buckets and objects of one sandbox; in no dialect, with no clock and no hashing of its own.
///
/// Bodies are staged first (``stage(expecting:)``) and become visible in one short transaction that also judges the
/// write's precondition. Buckets are held in memory; everything else is in the database.
package final class ObjectStore: Sendable {
    let database: Database
    let contents: Contents
    let sequences = VersionSequences()
    let buckets: Mutex<[String: Bucket]>

    /// Loads the buckets and starts to sweep what an earlier process staged and did not publish.
    package init(database: Database) throws(ObjectStoreError) {
        self.database = database
        do {
            contents = try Contents(database: database)
            let loaded = try database.read { connection in try connection.buckets() }
            buckets = Mutex(Dictionary(loaded.map { ($0.name, $0) }, uniquingKeysWith: { $1 }))
        } catch {
            throw ObjectStoreError(error)
        }
    }

    /// A body to append to and to publish with a put or as a part.
    /// - Parameter size: how many bytes will come, if that is known; saves memory for small bodies.
    package func stage(expecting size: Int64? = nil) -> BodyWriter {
        BodyWriter(database: database, contents: contents, expecting: size)
    }

    /// Removes every bucket, object and upload. Bodies that are being read stay readable.
    package func reset() async throws(ObjectStoreError) {
        try await write { connection -> [ContentID] in
            let contents = try connection.all(WholeStoreStatement.usedContents.rawValue) { ContentID(number: $0.integer(0)) }
            for statement in ResetStatement.allCases { try connection.run(statement.rawValue) }
            try connection.run(WholeStoreStatement.releaseContents.rawValue)
            return contents
        } committed: { released in
            self.buckets.withLock { $0 = [:] }
            self.contents.release(released)
        }
    }

    @discardableResult
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T, committed: (@Sendable (T) -> Void)? = nil
    ) async throws(ObjectStoreError) -> T {
        do { return try await database.write(body, committed: committed) } catch { throw ObjectStoreError(error) }
    }

    func read<T>(_ body: (Connection) throws -> T) throws(ObjectStoreError) -> T {
        do { return try database.read(body) } catch { throw ObjectStoreError(error) }
    }

    func readInPool<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws(ObjectStoreError) -> T {
        do { return try await database.readInPool(body) } catch { throw ObjectStoreError(error) }
    }
}
