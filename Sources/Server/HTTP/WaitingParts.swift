import NIOCore
import NIOHTTP1
import WireFormats

/// Parts of later requests that arrived while the current one is being processed.
struct WaitingParts {
    /// The number of bytes at which the connection stops reading.
    private static let most = 256 << 10
    /// The cost of a head or an end, in bytes.
    private static let costOfOthers = 512

    /// Most connections never have one, so it begins with the least room.
    private var parts = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 1)
    private var bytes = 0

    var isEmpty: Bool { parts.isEmpty }
    /// Whether more parts may be read.
    var hasRoom: Bool { bytes < Self.most }

    mutating func append(_ part: HTTPServerRequestPart) {
        bytes += Self.cost(of: part)
        parts.append(part)
    }

    mutating func popFirst() -> HTTPServerRequestPart? {
        guard let part = parts.popFirst() else { return nil }
        bytes -= Self.cost(of: part)
        return part
    }

    mutating func removeAll() {
        parts.removeAll()
        bytes = 0
    }

    private static func cost(of part: HTTPServerRequestPart) -> Int {
        if case .body(let buffer) = part { buffer.readableBytes } else { costOfOthers }
    }
}
