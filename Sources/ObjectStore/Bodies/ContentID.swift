/// The number of a content: bytes that are stored once, in pieces, and that any number of objects and parts refer to.
struct ContentID: Hashable, Sendable {
    let number: Int64

    /// Every piece but a content's last has this many bytes.
    static let pieceSize = 256 << 10
    private static let positionBits = 20
    /// Bytes that a content can have: 256 GiB.
    static let maximumSize = Int64(pieceSize) << positionBits

    /// The row of the piece at `position`, which counts from 0. Pieces of one content lie side by side.
    func piece(at position: Int64) -> Int64 { number << Self.positionBits | position }

    var firstPiece: Int64 { piece(at: 0) }
    var lastPossiblePiece: Int64 { piece(at: 1 << Self.positionBits - 1) }
}

/// A run of an object's body: all of one content.
struct Segment: Hashable, Sendable {
    /// The part's number; 1 where the object was not uploaded in parts.
    let number: Int
    let content: ContentID
    /// Bytes of the content.
    let size: Int64
    /// Of the part; none where the object was not uploaded in parts.
    var checksums: [Checksum] = []
}
