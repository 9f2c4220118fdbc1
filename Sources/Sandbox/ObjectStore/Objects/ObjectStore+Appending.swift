import NIOCore
import SQLite
import WireFormats

extension ObjectStore {
    /// Appends a staged body to the current object of a key, or creates the object. Appending does not create a version. After an error,
    /// the
    /// body is still staged.
    ///
    /// Concurrent appends run one after another. Only one of those with the same position succeeds.
    /// - Parameters:
    ///   - object: the object that the first append creates.
    ///   - position: the position of the body in the object, which must be the object's length.
    ///   - extend: changes the record of an existing object, given the number of appended bytes. Its changes to key, size, version and kind
    ///     are ignored.
    /// - Throws: ``ObjectStoreError``: `notAppendable`, `sealed`, `wrongPosition`, the errors of `extend`, and those of a put.
    package func append(
        _ object: NewObject, at position: Int64, in bucket: Bucket.ID, body: BodyWriter,
        extend: @escaping @Sendable (inout ObjectRecord, Int64) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let staged = try await body.finish()
        let numbers = numbers
        let written = try await write { connection in
            guard let present = try connection.openedRow(object.key, in: bucket) else {
                guard position == 0 else { throw ObjectStoreError.wrongPosition(length: 0) }
                var written = Written(record: ObjectRecord(object, size: staged.size))
                try connection.place(
                    &written.record, in: bucket, body: connection.placement(of: staged, published: &written.published), if: .none,
                    numbers: numbers, released: &written.released)
                return written
            }
            let record = present.record
            guard case .appendable(let sealed) = record.kind else { throw ObjectStoreError.notAppendable }
            guard sealed == nil else { throw ObjectStoreError.sealed }
            guard position == record.size else { throw ObjectStoreError.wrongPosition(length: record.size) }
            var written = Written(record: record)
            try extend(&written.record, staged.size)
            (written.record.key, written.record.version, written.record.kind) = (record.key, record.version, record.kind)
            written.record.size = record.size + staged.size
            let (number, isSegmented) = try connection.grow(
                present.number, inline: present.body, by: staged, numbers: numbers, published: &written.published)
            try connection.run(
                ObjectStatement.replace.text,
                [.integer(bucket.number), object.key.keyColumn, .integer(number), .integer(isSegmented ? 1 : 0)]
                    + written.record.columns)
            return written
        } committed: {
            self.settle($0)
        }
        body.release()
        return written.record
    }
}

/// Small appends fill the row that contains the end of the object, so that many of them need no more space than one body. A longer append
/// becomes a separate segment.
extension Connection {
    /// Appends a staged body to an existing one.
    /// - Parameters:
    ///   - inline: the existing body, if it is stored in one row.
    ///   - published: receives the staged content, which now has its first use.
    /// - Returns: the number of the longer body, and whether it is segmented.
    fileprivate func grow(
        _ number: Int64, inline: ByteBuffer?, by staged: StagedBody, numbers: RowNumbers, published: inout ContentID?
    ) throws -> (number: Int64, isSegmented: Bool) {
        if staged.size == 0 { return (number, inline == nil) }
        guard let inline else {
            try extendSegments(of: number, by: staged, numbers: numbers, published: &published)
            return (number, true)
        }
        if case .inline(let addition) = staged, inline.readableBytes + addition.readableBytes <= ContentID.pieceSize {
            let place = number == 0 ? numbers.contents.newBodyNumber() : number
            try joined(inline, addition).withUnsafeReadableBytes { bytes in
                _ = try run(ObjectStatement.setBody.text, .integer(place), .bytes(bytes))
            }
            return (place, false)
        }
        let body = numbers.contents.newBodyNumber()
        if inline.readableBytes > 0 {
            let content = try newContent(of: inline, numbers)
            try insert(Segment(number: 1, content: content, size: Int64(inline.readableBytes)), of: body)
        }
        if number != 0 { try run(ObjectStatement.deleteBody.text, .integer(number)) }
        try insert(segment(2, of: staged, numbers, published: &published), of: body)
        return (body, true)
    }

    private func extendSegments(
        of body: Int64, by staged: StagedBody, numbers: RowNumbers, published: inout ContentID?
    ) throws {
        let last = try first(ContentStatement.lastSegment.rawValue, .integer(body)) { row in
            Segment(
                number: Int(truncatingIfNeeded: row.integer(0)), content: ContentID(number: row.integer(1)), size: row.integer(2))
        }
        if let last, case .inline(let addition) = staged, try fill(last, with: addition) {
            try run(
                ContentStatement.growSegment.rawValue, .integer(body), .integer(Int64(last.number)),
                .integer(last.size + staged.size))
            return
        }
        try insert(segment((last?.number ?? 0) + 1, of: staged, numbers, published: &published), of: body)
    }

    /// Appends bytes to the last piece of a segment, if there is room. Other segments of the same content are not affected, because each
    /// stores its size.
    private func fill(_ segment: Segment, with addition: ByteBuffer) throws -> Bool {
        let pieceSize = Int64(ContentID.pieceSize)
        let position = max(0, segment.size - 1) / pieceSize
        let used = Int(segment.size - position * pieceSize)
        guard used + addition.readableBytes <= ContentID.pieceSize else { return false }
        let row = segment.content.piece(at: position)
        guard let piece = try first(ContentStatement.piece.rawValue, .integer(row), row: { $0.buffer(0) }),
            piece.readableBytes == used
        else { return false }
        try joined(piece, addition).withUnsafeReadableBytes { bytes in
            _ = try run(ContentStatement.replacePiece.rawValue, .integer(row), .bytes(bytes))
        }
        return true
    }

    private func segment(
        _ number: Int, of staged: StagedBody, _ numbers: RowNumbers, published: inout ContentID?
    ) throws -> Segment {
        switch staged {
        case .inline(let bytes):
            return Segment(number: number, content: try newContent(of: bytes, numbers), size: Int64(bytes.readableBytes))
        case .content(let content, let size, let last, let position):
            try publish(content, last: last, position: position)
            published = content
            return Segment(number: number, content: content, size: size)
        }
    }

    /// Creates a content of one piece. It is created and used within this transaction, so that it cannot be swept.
    private func newContent(of bytes: ByteBuffer, _ numbers: RowNumbers) throws -> ContentID {
        let content = ContentID(number: numbers.contents.newBodyNumber())
        try publish(content, last: bytes, position: 0)
        return content
    }

    private func joined(_ first: ByteBuffer, _ second: ByteBuffer) -> ByteBuffer {
        var whole = ByteBufferAllocator().buffer(capacity: first.readableBytes + second.readableBytes)
        whole.writeImmutableBuffer(first)
        whole.writeImmutableBuffer(second)
        return whole
    }
}
