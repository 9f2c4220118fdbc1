/// The number of a content: bytes that are stored once, in pieces. Any number of objects and parts can refer to it.
struct ContentID: Hashable, Sendable {
    let number: Int64

    /// The size of every piece of a content except the last, in bytes.
    static let pieceSize = 256 << 10
    private static let positionBits = 20
    /// The maximum size of a content: 256 GiB.
    static let maximumSize = Int64(pieceSize) << positionBits

    /// Returns the row of the piece at `position`, which counts from 0. Pieces of one content have adjacent rows.
    func piece(at position: Int64) -> Int64 { number << Self.positionBits | position }

    var firstPiece: Int64 { piece(at: 0) }
    var lastPossiblePiece: Int64 { piece(at: 1 << Self.positionBits - 1) }
}

/// A contiguous part of an object's body, stored in one content.
struct Segment: Hashable, Sendable {
    /// The part number; 1 if the object was not uploaded in parts.
    let number: Int
    let content: ContentID
    /// The number of bytes of the content.
    let size: Int64
    /// The checksums of the part; empty if the object was not uploaded in parts.
    var checksums: [Checksum] = []
}
