/// The numbers that a column of the schema can have. They are far from the ends of the type, so that arithmetic with them cannot overflow.
enum StoredRanges {
    /// Numbers that the store assigns, one after another. The number of a piece contains that of its content.
    private static let numbers: ClosedRange<Int64> = 0...(1 << 40)
    /// Numbers of SQLite's own, and counts of other things than bytes.
    private static let counts: ClosedRange<Int64> = 0...(1 << 31)
    /// Milliseconds since 1970, up to the year 10889: the expiry times of the last year that a clock can show are later than that year.
    private static let times: ClosedRange<Int64> = 0...(1 << 48)
    /// Bytes. S3 allows 50 TB.
    private static let sizes: ClosedRange<Int64> = 0...(1 << 48)
    /// Microseconds since 1970.
    private static let sequences: ClosedRange<Int64> = 0...(1 << 60)
    private static let flags: ClosedRange<Int64> = 0...1
    private static let bytes: ClosedRange<Int64> = 0...255

    /// The range of each integer column, by table.
    static let byTable: [String: [String: ClosedRange<Int64>]] = [
        "grants": ["issued": times, "expires": times],
        // Seconds, up to a hundred years.
        "ages": ["declared": times, "seconds": 1...3_153_600_000],
        "buckets": ["id": numbers, "created": times, "versioning": 0...2, "has_object_lock": flags, "public_access_block": 0...15],
        "bucket_documents": ["bucket": numbers],
        "objects": object,
        "versions": object.merging(["is_delete_marker": flags]) { $1 },
        "bodies": ["number": numbers],
        "segments": ["body": numbers, "number": counts, "content": numbers, "size": sizes],
        "contents": ["id": numbers, "uses": numbers],
        "pieces": ["id": 0...ContentID(number: numbers.upperBound).lastPossiblePiece],
        "uploads": [
            "number": numbers, "bucket": numbers, "initiated": times, "checksum_algorithm": bytes, "checksum_coverage": bytes,
            "replaces": flags,
        ],
        "parts": ["upload": numbers, "number": counts, "content": numbers, "size": sizes, "modified": times],
        "completions": ["bucket": numbers],
        "mobile_events": ["number": numbers, "received": times],
        "mobile_notifications": ["number": numbers, "created": times],
        "revocations": ["number": numbers],
        // The table of SQLite for AUTOINCREMENT, which has no types.
        "sqlite_sequence": ["seq": numbers],
    ]

    private static let object: [String: ClosedRange<Int64>] = [
        "bucket": numbers, "size": sizes, "part_count": counts, "modified": times, "body": numbers, "is_segmented": flags,
        "sequence": sequences, "is_null": flags,
    ]

    /// The range of the row number of every table. SQLite assigns it if the primary key is not an integer.
    static let rows: ClosedRange<Int64> = 0...(1 << 62)
}
