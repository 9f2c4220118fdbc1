import NIOCore
import SQLite
import WireFormats

extension ObjectStore {
    /// Appends a staged body to the object that a key leads to, or makes the object if there is none. An object stays the version
    /// that it is. After an error the body is still staged.
    ///
    /// Appends that come at the same time follow one another; the position lets one of them through.
    /// - Parameters:
    ///   - object: what the first append makes.
    ///   - position: where the body is to begin: how long the object is.
    ///   - extend: changes the record of an object that is there; told how many bytes come to it. What it does to key, size, version
    ///     and kind is ignored.
    /// - Throws: ``ObjectStoreError``: `notAppendable`, `sealed`, `wrongPosition`, what `extend` throws, and what a put throws.
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
                ObjectStatement.set.text,
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

/// Small appends fill the row that holds the object's end, so that many of them take no more room than one body; a longer one is a
/// segment of its own.
extension Connection {
    /// - Parameters:
    ///   - inline: the body where it lies in one row.
    ///   - published: receives the staged content, which has its first use now.
    /// - Returns: under which number the longer body is, and whether that is one of segments.
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

    /// Writes bytes behind a segment into its last piece, where there is room. Others that refer to the content do not see them: they
    /// know where their segment ends.
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

    /// A content of one piece, made and used within this transaction, so that nobody can sweep it.
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
