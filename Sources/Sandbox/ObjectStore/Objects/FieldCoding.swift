import Policy
import SQLite
import WireFormats

/// The encoding of lists in a column of an object's record: strings and checksums as runs of bytes. Each run follows its length in four
/// bytes, most significant first.
enum FieldCoding {
    /// Encodes metadata; NULL for no fields.
    static func encode(_ metadata: [MetadataField]) -> Value {
        if metadata.isEmpty { return .null }
        var bytes: [UInt8] = []
        for field in metadata {
            append(field.name.utf8, to: &bytes)
            append(field.value.utf8, to: &bytes)
        }
        return .blob(bytes)
    }

    /// Encodes each checksum as its algorithm, its coverage and its bytes; NULL for none.
    static func encode(_ checksums: [Checksum]) -> Value {
        if checksums.isEmpty { return .null }
        var bytes: [UInt8] = []
        for checksum in checksums {
            append([checksum.algorithm.rawValue, checksum.coverage.rawValue] + checksum.bytes, to: &bytes)
        }
        return .blob(bytes)
    }

    static func metadata(in row: Row, at column: Int32) -> [MetadataField] {
        var texts: [String] = []
        forEachRun(in: row, at: column) { texts.append(String(decoding: $0, as: UTF8.self)) }
        return stride(from: 0, to: texts.count - 1, by: 2).map { MetadataField(name: texts[$0], value: texts[$0 + 1]) }
    }

    /// Decodes checksums. Those of unknown algorithms are skipped.
    static func checksums(in row: Row, at column: Int32) -> [Checksum] {
        var checksums: [Checksum] = []
        forEachRun(in: row, at: column) { run in
            guard run.count > 2, let algorithm = Checksum.Algorithm(rawValue: run[0]),
                let coverage = Checksum.Coverage(rawValue: run[1])
            else { return }
            checksums.append(Checksum(algorithm, coverage: coverage, bytes: Array(UnsafeRawBufferPointer(rebasing: run[2...]))))
        }
        return checksums
    }

    /// Encodes each tag as its key and its value; NULL for none.
    static func encode(_ tags: [Tag]) -> Value {
        if tags.isEmpty { return .null }
        var bytes: [UInt8] = []
        for tag in tags {
            append(tag.key.utf8, to: &bytes)
            append(tag.value.utf8, to: &bytes)
        }
        return .blob(bytes)
    }

    static func tags(in row: Row, at column: Int32) -> [Tag] {
        if row.isNull(column) { return [] }
        var texts: [String] = []
        forEachRun(in: row, at: column) { texts.append(String(decoding: $0, as: UTF8.self)) }
        return stride(from: 0, to: texts.count - 1, by: 2).map { Tag(key: texts[$0], value: texts[$0 + 1]) }
    }

    static func append(_ run: some Collection<UInt8>, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: run.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: run)
    }

    /// Calls `body` with each complete run of a column.
    static func forEachRun(in row: Row, at column: Int32, _ body: (UnsafeRawBufferPointer) -> Void) {
        row.withBlob(column) { bytes in
            var start = 4
            while start <= bytes.count {
                let length = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start - 4, as: UInt32.self)))
                guard length <= bytes.count - start else { break }
                body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
                start += length + 4
            }
        }
    }
}
