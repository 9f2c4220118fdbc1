/// The statements on buckets.
enum BucketStatement: String, CaseIterable {
    case insert = "INSERT INTO buckets(name, account, region, created) VALUES (?1, ?2, ?3, ?4)"

    // By the unique index of the names.
    case owner = "SELECT account FROM buckets WHERE name = ?1"

    // By primary key.
    case setPolicy = "UPDATE buckets SET policy = ?2 WHERE id = ?1"

    // By the primary key of the objects.
    case anyObject = "SELECT 1 FROM objects WHERE bucket = ?1 LIMIT 1"

    // By primary key.
    case delete = "DELETE FROM buckets WHERE id = ?1"
}

/// What walks whole tables on purpose, once: at start and at a reset.
enum BucketScript {
    static let all = "SELECT id, name, account, region, created, policy FROM buckets"

    static let usedContents = "SELECT id FROM contents WHERE uses > 0"

    static let reset = """
        DELETE FROM bodies;
        DELETE FROM segments;
        DELETE FROM parts;
        DELETE FROM uploads;
        DELETE FROM completions;
        DELETE FROM objects;
        DELETE FROM buckets;
        UPDATE contents SET uses = 0;
        """
}
