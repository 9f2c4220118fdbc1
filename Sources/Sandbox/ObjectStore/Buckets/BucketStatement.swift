/// The statements on buckets. Comments name the index that each uses.
enum BucketStatement: String, CaseIterable {
    case insert = "INSERT INTO buckets(name, account, region, created) VALUES (?1, ?2, ?3, ?4)"

    // By the unique index of the names.
    case owner = "SELECT account FROM buckets WHERE name = ?1"

    // By primary key.
    case versioning = "SELECT versioning FROM buckets WHERE id = ?1"

    // By primary key.
    case configuration = """
        SELECT versioning, has_object_lock, ownership, public_access_block, access_control FROM buckets WHERE id = ?1
        """

    // By primary key.
    case configure = """
        UPDATE buckets SET versioning = ?2, has_object_lock = ?3, ownership = ?4, public_access_block = ?5, access_control = ?6
        WHERE id = ?1
        """

    // By primary key.
    case documents = "SELECT kind, document FROM bucket_documents WHERE bucket = ?1"

    case insertDocument = "INSERT INTO bucket_documents(bucket, kind, document) VALUES (?1, ?2, ?3)"

    // By primary key.
    case deleteDocuments = "DELETE FROM bucket_documents WHERE bucket = ?1"

    // By primary key.
    case delete = "DELETE FROM buckets WHERE id = ?1"

    // By the primary key of the objects, which begins with the bucket.
    case objectSizes = "SELECT storage_class, 0, size, modified FROM objects WHERE bucket = ?1"

    // By the primary key of the versions, which begins with the bucket.
    case versionSizes = "SELECT storage_class, is_delete_marker, size, modified FROM versions WHERE bucket = ?1"

    // By uploads_by_key.
    case uploadCount = "SELECT count(*) FROM uploads WHERE bucket = ?1"

    // By uploads_by_key, then by the primary key of the parts.
    case partStatistics = """
        SELECT count(*), coalesce(sum(parts.size), 0)
        FROM uploads JOIN parts ON parts.upload = uploads.number WHERE uploads.bucket = ?1
        """
}

/// The statements that walk whole tables on purpose, once: at start and at a reset.
enum WholeStoreStatement: String, CaseIterable {
    case buckets = """
        SELECT id, name, account, region, created, versioning, has_object_lock, ownership, public_access_block, access_control FROM buckets
        """
    case bucketDocuments = "SELECT bucket, kind, document FROM bucket_documents"
    case objectCount = "SELECT count(*) FROM objects"
    case usedContents = "SELECT id FROM contents WHERE uses > 0"
    case releaseContents = "UPDATE contents SET uses = 0"
}

/// The statements that empty the store at a reset, in their order.
enum ResetStatement: String, CaseIterable {
    case bodies = "DELETE FROM bodies"
    case segments = "DELETE FROM segments"
    case parts = "DELETE FROM parts"
    case uploads = "DELETE FROM uploads"
    case completions = "DELETE FROM completions"
    case objects = "DELETE FROM objects"
    case versions = "DELETE FROM versions"
    case bucketDocuments = "DELETE FROM bucket_documents"
    case buckets = "DELETE FROM buckets"
}
