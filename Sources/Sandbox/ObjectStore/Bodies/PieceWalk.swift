import WireFormats

/// The slices of pieces that make up a range of a body, in order.
struct PieceWalk: Sequence, IteratorProtocol {
    struct Slice: Hashable {
        /// The row of the piece.
        let row: Int64
        /// The range of bytes, counted from the start of the piece; not empty.
        let range: Range<Int>
    }

    private let segments: [Segment]
    private var index = 0
    /// The position in the body at which the segment at `index` begins.
    private var segmentStart: Int64 = 0
    private var wanted: Range<Int64>

    /// - Parameter range: a range within the segments.
    init(_ segments: [Segment], range: Range<Int64>) {
        self.segments = segments
        wanted = range
    }

    mutating func next() -> Slice? { next(upTo: ContentID.pieceSize) }

    /// - Parameter size: the most bytes of the slice.
    mutating func next(upTo size: Int) -> Slice? {
        while !wanted.isEmpty, index < segments.count {
            let segment = segments[index]
            let offset = wanted.lowerBound - segmentStart
            if offset >= segment.size {
                segmentStart += segment.size
                index += 1
                continue
            }
            let pieceSize = Int64(ContentID.pieceSize)
            let pieceStart = offset / pieceSize * pieceSize
            let end = Swift.min(pieceStart + pieceSize, segment.size, wanted.upperBound - segmentStart, offset + Int64(size))
            wanted = segmentStart + end..<wanted.upperBound
            return Slice(
                row: segment.content.piece(at: offset / pieceSize),
                range: Int(offset - pieceStart)..<Int(end - pieceStart))
        }
        return nil
    }
}
