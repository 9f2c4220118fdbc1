import NIOCore
import NIOHTTP1

/// Parts of requests that came while the request before them is being answered.
struct WaitingParts {
    /// Bytes that are taken in; then the connection stops to read.
    private static let most = 256 << 10
    /// What a head or an end counts for.
    private static let costOfOthers = 512

    private var parts = CircularBuffer<HTTPServerRequestPart>()
    private var bytes = 0

    var isEmpty: Bool { parts.isEmpty }
    /// Whether more may be read.
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
