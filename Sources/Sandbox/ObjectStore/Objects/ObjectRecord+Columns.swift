import SQLite
import WireFormats

extension ObjectAttributes {
    static let columnNames = """
        storage_class, content_type, content_encoding, content_disposition, content_language, cache_control, expires, metadata, \
        redirect
        """

    /// The values of the nine columns of ``columnNames``.
    var columns: [Value] {
        [
            Value(storageClass), Value(contentType), Value(contentEncoding), Value(contentDisposition), Value(contentLanguage),
            Value(cacheControl), Value(expires), FieldCoding.encode(metadata), Value(websiteRedirect),
        ]
    }

    /// Reads ``columns``, beginning at the given column.
    init(row: Row, from column: Int32) {
        self.init(
            contentType: row.optionalText(column + 1),
            contentEncoding: row.optionalText(column + 2),
            contentDisposition: row.optionalText(column + 3),
            contentLanguage: row.optionalText(column + 4),
            cacheControl: row.optionalText(column + 5),
            expires: row.optionalText(column + 6),
            storageClass: row.optionalText(column),
            metadata: FieldCoding.metadata(in: row, at: column + 7),
            websiteRedirect: row.optionalText(column + 8))
    }
}

extension ObjectProperties {
    static let columnNames = "tags, access_control, lock, encryption"

    /// The values of the four columns of ``columnNames``.
    var columns: [Value] {
        [FieldCoding.encode(tags), FieldCoding.encode(accessControl), FieldCoding.encode(lock), FieldCoding.encode(encryption)]
    }

    /// Reads ``columns``, beginning at the given column.
    init(row: Row, from column: Int32) {
        self.init(
            tags: FieldCoding.tags(in: row, at: column), accessControl: FieldCoding.accessControl(in: row, at: column + 1),
            lock: FieldCoding.lock(in: row, at: column + 2), encryption: FieldCoding.encryption(in: row, at: column + 3))
    }
}

extension ObjectRecord {
    static let columnNames = """
        size, md5, part_count, modified, owner, checksums, sequence, is_null, \(ObjectAttributes.columnNames), \
        \(ObjectProperties.columnNames), restoration, kind
        """
    static let columnCount: Int32 = 23

    /// The values of the twenty-three columns of ``columnNames``.
    var columns: [Value] {
        [
            .integer(size), .blob(entityTag.md5), Value(entityTag.partCount), .integer(modified.milliseconds),
            .text(owner), FieldCoding.encode(checksums), .integer(version.sequence), .integer(version.isNull ? 1 : 0),
        ] + attributes.columns + properties.columns + [FieldCoding.encode(restoration), FieldCoding.encode(kind)]
    }

    /// Reads ``columns``, beginning at the first column.
    init(key: String, row: Row) {
        self.init(
            key: key,
            size: row.integer(0),
            entityTag: EntityTag(row: row, md5: 1, partCount: 2),
            modified: Timestamp(milliseconds: row.integer(3)),
            attributes: ObjectAttributes(row: row, from: 8),
            checksums: FieldCoding.checksums(in: row, at: 5),
            owner: row.text(4),
            version: ObjectVersion(row: row, from: 6),
            properties: ObjectProperties(row: row, from: 17), restoration: FieldCoding.restoration(in: row, at: 21),
            kind: FieldCoding.kind(in: row, at: 22))
    }
}

extension ObjectVersion {
    /// Reads the columns sequence and is_null.
    init(row: Row, from column: Int32) {
        self.init(sequence: row.integer(column), isNull: row.integer(column + 1) != 0)
    }
}

extension EntityTag {
    init(row: Row, md5: Int32, partCount: Int32) {
        self.init(md5: row.blob(md5), partCount: row.optionalInteger(partCount).map { Int(truncatingIfNeeded: $0) })
    }
}

extension String {
    /// The key as it is stored in the database: as UTF-8 bytes, which are ordered as bytes.
    var keyColumn: Value { .blob(Array(utf8)) }
}
