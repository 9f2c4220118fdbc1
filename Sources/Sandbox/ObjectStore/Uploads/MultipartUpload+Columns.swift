import SQLite
import WireFormats

extension MultipartUpload {
    /// Reads the columns number, id, key, initiated, owner, checksum_algorithm, checksum_coverage, then the attributes and properties,
    /// initiator and replaces.
    init(row: Row, in bucket: Bucket.ID) {
        self.init(
            number: row.integer(0),
            id: row.text(1),
            bucket: bucket,
            key: row.withBlob(2) { String(decoding: $0, as: UTF8.self) },
            attributes: ObjectAttributes(row: row, from: 7),
            owner: row.text(4),
            initiated: Timestamp(milliseconds: row.integer(3)),
            checksumAlgorithm: row.optionalInteger(5).flatMap { Checksum.Algorithm(rawValue: UInt8(truncatingIfNeeded: $0)) },
            checksumCoverage: Checksum.Coverage(rawValue: UInt8(truncatingIfNeeded: row.integer(6))) ?? .fullObject,
            properties: ObjectProperties(row: row, from: 16),
            initiator: row.optionalText(20),
            replaces: row.integer(21) != 0)
    }
}

extension StoredPart {
    /// Reads the columns number, size, md5, modified, checksums.
    init(row: Row) {
        self.init(
            number: Int(truncatingIfNeeded: row.integer(0)),
            size: row.integer(1),
            md5: row.blob(2),
            checksums: FieldCoding.checksums(in: row, at: 4),
            modified: Timestamp(milliseconds: row.integer(3)))
    }
}

extension Connection {
    /// Throws `noSuchUpload` if the upload was completed or aborted since it was read.
    func requireUpload(_ upload: MultipartUpload) throws {
        let found = try first(UploadStatement.exists.rawValue, .integer(upload.number), .text(upload.id)) { _ in true }
        if found == nil { throw ObjectStoreError.noSuchUpload }
    }

    /// Returns the parts in order, each with the content that it uses.
    func contentsOfParts(of upload: Int64) throws -> [(part: StoredPart, content: ContentID)] {
        try all(UploadStatement.parts.rawValue, .integer(upload), 0) { row in
            (StoredPart(row: row), ContentID(number: row.integer(5)))
        }
    }

    /// Deletes an upload with its parts.
    func deleteUpload(_ upload: Int64, released: inout [ContentID]) throws {
        for (_, content) in try contentsOfParts(of: upload) { try dropUse(of: content, released: &released) }
        try run(UploadStatement.deleteParts.rawValue, .integer(upload))
        try run(UploadStatement.delete.rawValue, .integer(upload))
    }
}
