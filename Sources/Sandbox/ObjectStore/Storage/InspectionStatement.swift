import WireFormats

/// The statements that find a row which no sandbox has. Each reads whole tables on purpose, once, when a file is imported.
enum InspectionStatement: String, CaseIterable {
    case columns = "SELECT name FROM pragma_table_info(?1)"
    // Tables without row numbers have a primary key only.
    case withRowNumbers = "SELECT 1 FROM pragma_table_list(?1) WHERE wr = 0"
    // A body is as long as its object says. Readers reserve memory by that length.
    case objects = """
        SELECT 1 FROM objects WHERE size <> CASE is_segmented
            WHEN 0 THEN coalesce((SELECT length(bytes) FROM bodies WHERE bodies.number = objects.body), 0)
            ELSE (SELECT total(segments.size) FROM segments WHERE segments.body = objects.body) END
        LIMIT 1
        """
    case versions = """
        SELECT 1 FROM versions WHERE size <> CASE is_segmented
            WHEN 0 THEN coalesce((SELECT length(bytes) FROM bodies WHERE bodies.number = versions.body), 0)
            ELSE (SELECT total(segments.size) FROM segments WHERE segments.body = versions.body) END
        LIMIT 1
        """
    // Several segments can share a content, and be shorter than it.
    case pieces = """
        SELECT 1 FROM (
            SELECT content, max(size) AS longest FROM (SELECT content, size FROM segments UNION ALL SELECT content, size FROM parts)
            GROUP BY content)
        WHERE longest > (
            SELECT total(length(bytes)) FROM pieces WHERE id BETWEEN content << 20 AND (content << 20) + 1048575)
        LIMIT 1
        """
    // Sums of sizes do not overflow, though several objects refer to one body.
    case objectSizes = "SELECT 1 FROM (SELECT total(size) AS whole FROM objects) WHERE whole > 1152921504606846976"
    case versionSizes = "SELECT 1 FROM (SELECT total(size) AS whole FROM versions) WHERE whole > 1152921504606846976"
    case partSizes = "SELECT 1 FROM (SELECT total(size) AS whole FROM parts) WHERE whole > 1152921504606846976"
    // The sum of the agings, in milliseconds, neither: three million years.
    case ages = "SELECT 1 FROM (SELECT total(seconds) AS whole FROM ages) WHERE whole > 100000000000000"
    // The numbers in records with which something is calculated: durations in seconds or days, and numbers of versions.
    case records = """
        SELECT 1 FROM records, json_tree(records.document) AS entry
        WHERE entry.type IN ('integer', 'real') AND entry.value NOT BETWEEN -4294967296 AND 4294967296
            AND entry.key IN ('default_max_age', 'defaultVersion', 'drift', 'duration', 'highestVersion', 'index', 'issuanceLimit',
                'loginAttempts', 'maximumAge', 'maximumSessionDuration', 'number', 'reusePrevention', 'sessionLifetime', 'tokenLifetime')
            AND entry.path NOT LIKE '$.people%.claims%' AND entry.path NOT LIKE '$.member.claims%'
        LIMIT 1
        """
    // Times and durations of grants. The values of claims can be any.
    case grants = """
        SELECT 1 FROM grants, json_tree(grants.document) AS entry
        WHERE entry.type IN ('integer', 'real') AND entry.value NOT BETWEEN -9007199254740992 AND 9007199254740992
            AND entry.path NOT LIKE '%claims%'
        LIMIT 1
        """

    /// The table in which the statement finds a row; `nil` for a statement on the schema.
    var table: String? {
        switch self {
        case .columns, .withRowNumbers: nil
        case .objects, .objectSizes: "objects"
        case .versions, .versionSizes: "versions"
        case .pieces: "pieces"
        case .partSizes: "parts"
        case .ages: "ages"
        case .records: "records"
        case .grants: "grants"
        }
    }

    /// Returns the statement that finds a row for which one of some conditions is true.
    static func rows(of table: String, where conditions: [String]) -> String {
        "SELECT 1 FROM \(table) WHERE \(conditions.joined(separator: " OR ")) LIMIT 1"
    }
}
