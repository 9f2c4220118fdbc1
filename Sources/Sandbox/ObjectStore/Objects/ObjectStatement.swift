import WireFormats

/// The statements on current objects and on small bodies. Every search of an object uses the primary key.
enum ObjectStatement: Int, CaseIterable {
    /// Returns the columns that ``ObjectRecord/init(key:row:)`` reads.
    case head
    /// Returns the same columns, then the number of the body, whether it is segmented, and a small body by primary key.
    case open
    case find
    /// Returns the objects from a key on, in the order of the table. The reader stops when it has enough.
    case list
    /// The same, with the columns of a listing of versions.
    case listVersions
    /// The same, with all columns of the records: those that ``ObjectRecord/init(key:row:)`` reads, then the key.
    case records
    /// Returns the total size of the bodies of a bucket, in bytes.
    case totalSize
    /// Writes a new object.
    case insert
    /// Overwrites the object of a key. `INSERT OR REPLACE` would do both, but SQLite first copies each page that it changes: it foresees that
    /// such a statement fails after its first change. (https://sqlite.org/tempfiles.html, "Statement journal files".)
    case replace
    case update
    case delete
    case lastBody
    case setBody
    case deleteBody
    case anyInBucket

    /// The text of the statement. It is composed once, because it is the cache key of the most frequent statements.
    var text: String { Self.texts[rawValue] }

    private static let texts = allCases.map(\.composed)

    private var composed: String {
        switch self {
        case .head: "SELECT \(ObjectRecord.columnNames) FROM objects WHERE bucket = ?1 AND key = ?2"
        case .open:
            """
            SELECT \(ObjectRecord.columnNames), body, is_segmented, bytes
            FROM objects LEFT JOIN bodies ON bodies.number = objects.body WHERE bucket = ?1 AND key = ?2
            """
        case .find:
            "SELECT body, md5, part_count, is_segmented, sequence, is_null FROM objects WHERE bucket = ?1 AND key = ?2"
        case .list:
            """
            SELECT key, size, md5, part_count, modified, storage_class, owner, checksums, restoration, kind
            FROM objects WHERE bucket = ?1 AND key >= ?2 ORDER BY key
            """
        case .listVersions:
            """
            SELECT key, size, md5, part_count, modified, storage_class, owner, checksums, restoration, kind, sequence, is_null
            FROM objects WHERE bucket = ?1 AND key >= ?2 AND (key > ?2 OR sequence < ?3) ORDER BY key
            """
        case .records:
            "SELECT \(ObjectRecord.columnNames), key FROM objects WHERE bucket = ?1 AND key >= ?2 ORDER BY key"
        // By the primary key, which begins with the bucket.
        case .totalSize: "SELECT sum(size) FROM objects WHERE bucket = ?1"
        case .insert:
            """
            INSERT INTO objects(bucket, key, body, is_segmented, \(ObjectRecord.columnNames))
            VALUES (?1, ?2, ?3, ?4\(Self.parameters(5...27)))
            """
        case .replace:
            """
            UPDATE objects SET (body, is_segmented, \(ObjectRecord.columnNames)) = (?3, ?4\(Self.parameters(5...27)))
            WHERE bucket = ?1 AND key = ?2
            """
        case .update:
            """
            INSERT OR REPLACE INTO objects(bucket, key, body, is_segmented, \(ObjectRecord.columnNames))
            SELECT bucket, key, body, is_segmented\(Self.parameters(3...25)) FROM objects WHERE bucket = ?1 AND key = ?2
            """
        case .delete: "DELETE FROM objects WHERE bucket = ?1 AND key = ?2"
        // By primary key, in descending order.
        case .lastBody: "SELECT max(number) FROM bodies"
        // By primary key.
        case .setBody: "INSERT OR REPLACE INTO bodies(number, bytes) VALUES (?1, ?2)"
        // By primary key.
        case .deleteBody: "DELETE FROM bodies WHERE number = ?1"
        // By the primary key of the objects.
        case .anyInBucket: "SELECT 1 FROM objects WHERE bucket = ?1 LIMIT 1"
        }
    }

    /// Returns a list of parameters, such as `, ?5, ?6`.
    static func parameters(_ numbers: ClosedRange<Int>) -> String { numbers.map { ", ?\($0)" }.joined() }
}
