import HTTPTypes
import NIOCore
import Synchronization
import WireFormats

extension ResponseBody {
    /// Returns the whole body.
    /// - Parameter limit: the accepted size in bytes.
    /// - Throws: `BodyTooLarge`, or an error of the face that writes the body.
    package func collected(upTo limit: Int) async throws -> [UInt8] {
        if case .whole(let buffer) = content {
            guard buffer.readableBytes <= limit else { throw BodyTooLarge(limit: limit) }
            return Array(buffer.readableBytesView)
        }
        let collected = CollectedBytes(limit: limit)
        try await write(CollectingWriter(collected: collected))
        return collected.bytes
    }
}

private final class CollectedBytes: Sendable {
    private let limit: Int
    private let content = Mutex<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var bytes: [UInt8] { content.withLock { $0 } }

    func append(_ buffer: ByteBuffer) throws {
        try content.withLock { content in
            guard content.count + buffer.readableBytes <= limit else { throw BodyTooLarge(limit: limit) }
            content.append(contentsOf: buffer.readableBytesView)
        }
    }
}

private struct CollectingWriter: ResponseBodyWriter {
    let collected: CollectedBytes

    mutating func write(_ buffer: ByteBuffer) async throws { try collected.append(buffer) }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
