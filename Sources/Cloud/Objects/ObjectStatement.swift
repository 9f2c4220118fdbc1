/// The statements on objects and their small bodies. Every search of an object uses the primary key.
enum ObjectStatement: String, CaseIterable {
    /// Columns as ``ObjectRecord/init(key:row:)`` reads them.
    case head = """
        SELECT size, md5, part_count, modified, owner, checksums, storage_class, content_type, content_encoding,
            content_disposition, content_language, cache_control, expires, metadata
        FROM objects WHERE bucket = ?1 AND key = ?2
        """

    /// The same columns, then the number of the body, whether it is segmented, and a small body by primary key.
    case open = """
        SELECT size, md5, part_count, modified, owner, checksums, storage_class, content_type, content_encoding,
            content_disposition, content_language, cache_control, expires, metadata, body, is_segmented, bytes
        FROM objects LEFT JOIN bodies ON bodies.number = objects.body WHERE bucket = ?1 AND key = ?2
        """

    case find = "SELECT body, md5, part_count, is_segmented FROM objects WHERE bucket = ?1 AND key = ?2"

    // From a key on, in the table's order; the reader stops when it has enough.
    case list = """
        SELECT key, size, md5, part_count, modified, storage_class, owner, checksums
        FROM objects WHERE bucket = ?1 AND key >= ?2 ORDER BY key
        """

    case set = """
        INSERT OR REPLACE INTO objects(bucket, key, body, is_segmented, size, md5, part_count, modified, owner, checksums,
            storage_class, content_type, content_encoding, content_disposition, content_language, cache_control, expires,
            metadata)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
        """

    case delete = "DELETE FROM objects WHERE bucket = ?1 AND key = ?2"

    // By primary key, from its end.
    case lastBody = "SELECT max(number) FROM bodies"

    // By primary key.
    case setBody = "INSERT OR REPLACE INTO bodies(number, bytes) VALUES (?1, ?2)"

    // By primary key.
    case deleteBody = "DELETE FROM bodies WHERE number = ?1"
}
