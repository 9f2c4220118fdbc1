import WireFormats

/// The statements on replaced objects and delete markers. The versions of a key are adjacent, newest first.
enum VersionStatement: Int, CaseIterable {
    /// By primary key. Returns the columns that ``ObjectRecord/init(key:row:)`` reads, then whether it is a delete marker.
    case head
    /// Returns the same columns, then the number of the body, whether it is segmented, and a small body by primary key.
    case open
    /// Returns the newest version of a key: body, md5, part_count, is_segmented, sequence, is_null, is_delete_marker, modified.
    case newest
    /// Returns a key's null version, by scanning the versions of the key. The columns are those of `newest`.
    case null
    /// By primary key. The columns are those of `newest`.
    case find
    /// Returns the versions from a key on, in the order of the table. The reader stops when it has enough.
    case list
    /// Makes the current object of a key a version.
    case retire
    /// Makes a version the current object of its key.
    case restore
    case insertMarker
    case update
    case delete
    case anyInBucket

    /// The text of the statement. It is composed once, because it is the cache key of the most frequent statements.
    var text: String { Self.texts[rawValue] }

    private static let texts = allCases.map(\.composed)

    private var composed: String {
        switch self {
        case .head:
            "SELECT \(ObjectRecord.columnNames), is_delete_marker FROM versions WHERE bucket = ?1 AND key = ?2 AND sequence = ?3"
        case .open:
            """
            SELECT \(ObjectRecord.columnNames), is_delete_marker, body, is_segmented, bytes
            FROM versions LEFT JOIN bodies ON bodies.number = versions.body WHERE bucket = ?1 AND key = ?2 AND sequence = ?3
            """
        case .newest:
            """
            SELECT body, md5, part_count, is_segmented, sequence, is_null, is_delete_marker, modified
            FROM versions WHERE bucket = ?1 AND key = ?2 ORDER BY sequence DESC LIMIT 1
            """
        case .null:
            """
            SELECT body, md5, part_count, is_segmented, sequence, is_null, is_delete_marker, modified
            FROM versions WHERE bucket = ?1 AND key = ?2 AND is_null = 1 LIMIT 1
            """
        case .find:
            """
            SELECT body, md5, part_count, is_segmented, sequence, is_null, is_delete_marker, modified
            FROM versions WHERE bucket = ?1 AND key = ?2 AND sequence = ?3
            """
        case .list:
            """
            SELECT key, size, md5, part_count, modified, storage_class, owner, checksums, restoration, kind, sequence, is_null,
                is_delete_marker
            FROM versions WHERE bucket = ?1 AND key >= ?2 AND (key > ?2 OR sequence < ?3) ORDER BY key, sequence DESC
            """
        case .retire:
            """
            INSERT INTO versions(bucket, key, body, is_segmented, is_delete_marker, \(ObjectRecord.columnNames))
            SELECT bucket, key, body, is_segmented, 0, \(ObjectRecord.columnNames) FROM objects WHERE bucket = ?1 AND key = ?2
            """
        case .restore:
            """
            INSERT INTO objects(bucket, key, body, is_segmented, \(ObjectRecord.columnNames))
            SELECT bucket, key, body, is_segmented, \(ObjectRecord.columnNames)
            FROM versions WHERE bucket = ?1 AND key = ?2 AND sequence = ?3
            """
        case .insertMarker:
            """
            INSERT INTO versions(bucket, key, sequence, is_null, is_delete_marker, size, md5, modified, owner, body, is_segmented)
            VALUES (?1, ?2, ?3, ?4, 1, 0, x'', ?5, ?6, 0, 0)
            """
        case .update:
            """
            INSERT OR REPLACE INTO versions(bucket, key, body, is_segmented, is_delete_marker, \(ObjectRecord.columnNames))
            SELECT bucket, key, body, is_segmented, is_delete_marker\(ObjectStatement.parameters(4...26))
            FROM versions WHERE bucket = ?1 AND key = ?2 AND sequence = ?3
            """
        case .delete: "DELETE FROM versions WHERE bucket = ?1 AND key = ?2 AND sequence = ?3"
        // By the primary key of the versions.
        case .anyInBucket: "SELECT 1 FROM versions WHERE bucket = ?1 LIMIT 1"
        }
    }
}
