/// The statements on contents, their pieces, and the segments that connect them to objects. Comments name the index that each uses.
enum ContentStatement: String, CaseIterable {
    // By primary key, in descending order.
    case last = "SELECT max(id) FROM contents"

    // By the partial index contents_unused.
    case unused = "SELECT id FROM contents WHERE uses = 0"

    case insert = "INSERT INTO contents(id, uses) VALUES (?1, 0)"

    // By primary key.
    case addUse = "UPDATE contents SET uses = uses + 1 WHERE id = ?1"

    // By primary key.
    case dropUse = "UPDATE contents SET uses = uses - 1 WHERE id = ?1 RETURNING uses"

    // By primary key.
    case delete = "DELETE FROM contents WHERE id = ?1"

    case insertPiece = "INSERT INTO pieces(id, bytes) VALUES (?1, ?2)"

    // By primary key.
    case piece = "SELECT bytes FROM pieces WHERE id = ?1"

    // By primary key.
    case replacePiece = "UPDATE pieces SET bytes = ?2 WHERE id = ?1"

    // By primary key, within the range of one content.
    case deletePieces = "DELETE FROM pieces WHERE id IN (SELECT id FROM pieces WHERE id BETWEEN ?1 AND ?2 LIMIT ?3)"

    case insertSegment = "INSERT INTO segments(body, number, content, size, checksums) VALUES (?1, ?2, ?3, ?4, ?5)"

    // By primary key, in descending order.
    case lastSegmented = "SELECT max(body) FROM segments"

    // By primary key, in its order.
    case segments = "SELECT number, content, size, checksums FROM segments WHERE body = ?1 ORDER BY number"

    // By primary key, in descending order.
    case lastSegment = "SELECT number, content, size FROM segments WHERE body = ?1 ORDER BY number DESC LIMIT 1"

    // By primary key.
    case growSegment = "UPDATE segments SET size = ?3 WHERE body = ?1 AND number = ?2"

    // By primary key.
    case deleteSegments = "DELETE FROM segments WHERE body = ?1"
}
