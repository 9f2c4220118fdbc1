/// The statements on multipart uploads. Comments name the index that each uses.
enum UploadStatement: String, CaseIterable {
    case insert = """
        INSERT INTO uploads(id, bucket, key, initiated, owner, checksum_algorithm, checksum_coverage, storage_class,
            content_type, content_encoding, content_disposition, content_language, cache_control, expires, metadata, redirect,
            tags, access_control, lock, encryption, initiator, replaces)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
        """

    // By uploads_by_key.
    case find = """
        SELECT number, id, key, initiated, owner, checksum_algorithm, checksum_coverage, storage_class,
            content_type, content_encoding, content_disposition, content_language, cache_control, expires, metadata, redirect,
            tags, access_control, lock, encryption, initiator, replaces
        FROM uploads WHERE bucket = ?1 AND key = ?2 AND id = ?3
        """

    // By uploads_by_key, from an upload on. The reader stops when it has enough.
    case list = """
        SELECT number, id, key, initiated, owner, checksum_algorithm, checksum_coverage, storage_class,
            content_type, content_encoding, content_disposition, content_language, cache_control, expires, metadata, redirect,
            tags, access_control, lock, encryption, initiator, replaces
        FROM uploads WHERE bucket = ?1 AND (key, id) > (?2, ?3) ORDER BY key, id
        """

    // By primary key.
    case exists = "SELECT 1 FROM uploads WHERE number = ?1 AND id = ?2"

    // By uploads_by_key.
    case numbers = "SELECT number FROM uploads WHERE bucket = ?1"

    // By primary key.
    case delete = "DELETE FROM uploads WHERE number = ?1"

    // By primary key.
    case setPart = """
        INSERT OR REPLACE INTO parts(upload, number, content, size, md5, modified, checksums)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """

    // By primary key.
    case partContent = "SELECT content FROM parts WHERE upload = ?1 AND number = ?2"

    // By primary key, in its order.
    case parts = """
        SELECT number, size, md5, modified, checksums, content FROM parts WHERE upload = ?1 AND number > ?2 ORDER BY number
        """

    case insertCompletion = "INSERT INTO completions(upload, bucket, key) VALUES (?1, ?2, ?3)"

    // By rowid. The newest thousand are sufficient for a client that did not receive a response.
    case forgetCompletions = "DELETE FROM completions WHERE rowid <= ?1"

    // By primary key.
    case findCompletion = "SELECT 1 FROM completions WHERE upload = ?1 AND bucket = ?2 AND key = ?3"

    // By primary key.
    case deleteParts = "DELETE FROM parts WHERE upload = ?1"
}
