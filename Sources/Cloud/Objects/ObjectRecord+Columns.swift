import SQLite
import WireFormats

extension ObjectAttributes {
    /// Eight columns: storage_class, content_type, content_encoding, content_disposition, content_language,
    /// cache_control, expires, metadata.
    var columns: [Value] {
        [
            Value(storageClass), Value(contentType), Value(contentEncoding), Value(contentDisposition), Value(contentLanguage),
            Value(cacheControl), Value(expires), FieldCoding.encode(metadata),
        ]
    }

    /// Reads ``columns`` from the given column on.
    init(row: Row, from column: Int32) {
        self.init(
            contentType: row.optionalText(column + 1),
            contentEncoding: row.optionalText(column + 2),
            contentDisposition: row.optionalText(column + 3),
            contentLanguage: row.optionalText(column + 4),
            cacheControl: row.optionalText(column + 5),
            expires: row.optionalText(column + 6),
            storageClass: row.optionalText(column),
            metadata: FieldCoding.metadata(in: row, at: column + 7))
    }
}

extension ObjectRecord {
    /// Fourteen columns: size, md5, part_count, modified, owner, checksums, then the attributes.
    var columns: [Value] {
        [
            .integer(size), .blob(entityTag.md5), Value(entityTag.partCount), .integer(modified.milliseconds),
            .text(owner), FieldCoding.encode(checksums),
        ] + attributes.columns
    }

    /// Reads ``columns`` from the first column on.
    init(key: String, row: Row) {
        self.init(
            key: key,
            size: row.integer(0),
            entityTag: EntityTag(row: row, md5: 1, partCount: 2),
            modified: Timestamp(milliseconds: row.integer(3)),
            attributes: ObjectAttributes(row: row, from: 6),
            checksums: FieldCoding.checksums(in: row, at: 5),
            owner: row.text(4))
    }
}

extension EntityTag {
    init(row: Row, md5: Int32, partCount: Int32) {
        self.init(md5: row.blob(md5), partCount: row.optionalInteger(partCount).map { Int(truncatingIfNeeded: $0) })
    }
}

extension String {
    /// A key as the database holds it: its UTF-8 bytes, ordered as bytes.
    var keyColumn: Value { .blob(Array(utf8)) }
}
