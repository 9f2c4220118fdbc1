/// The statements on objects and their small bodies. Every search by key uses the unique index objects_by_key.
enum ObjectStatement: String, CaseIterable {
    /// Columns as ``ObjectRecord/init(key:row:)`` reads them.
    case head = """
        SELECT size, md5, part_count, modified, owner, checksums, storage_class, content_type, content_encoding,
            content_disposition, content_language, cache_control, expires, metadata
        FROM objects WHERE bucket = ?1 AND key = ?2
        """

    /// The same columns, then the object's number, whether it is segmented, and its small body by primary key.
    case open = """
        SELECT size, md5, part_count, modified, owner, checksums, storage_class, content_type, content_encoding,
            content_disposition, content_language, cache_control, expires, metadata, id, is_segmented, bytes
        FROM objects LEFT JOIN bodies ON bodies.object = objects.id WHERE bucket = ?1 AND key = ?2
        """

    case find = "SELECT id, md5, part_count, is_segmented FROM objects WHERE bucket = ?1 AND key = ?2"

    // From a key on, in the index's order; the reader stops when it has enough.
    case list = """
        SELECT key, size, md5, part_count, modified, storage_class, owner, checksums
        FROM objects WHERE bucket = ?1 AND key >= ?2 ORDER BY key
        """

    case insert = """
        INSERT INTO objects(bucket, key, is_segmented, size, md5, part_count, modified, owner, checksums, storage_class,
            content_type, content_encoding, content_disposition, content_language, cache_control, expires, metadata)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
        """

    // By primary key.
    case update = """
        UPDATE objects SET is_segmented = ?2, size = ?3, md5 = ?4, part_count = ?5, modified = ?6, owner = ?7,
            checksums = ?8, storage_class = ?9, content_type = ?10, content_encoding = ?11, content_disposition = ?12,
            content_language = ?13, cache_control = ?14, expires = ?15, metadata = ?16
        WHERE id = ?1
        """

    // By primary key.
    case delete = "DELETE FROM objects WHERE id = ?1"

    // By primary key.
    case setBody = "INSERT OR REPLACE INTO bodies(object, bytes) VALUES (?1, ?2)"

    // By primary key.
    case deleteBody = "DELETE FROM bodies WHERE object = ?1"
}
