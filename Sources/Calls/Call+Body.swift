import NIOCore

/// A body was longer than the operation takes.
package struct BodyTooLarge: Error {
    /// Bytes that would have been accepted.
    package var limit: Int

    /// - Parameter limit: the largest size, in bytes.
    package init(limit: Int) { self.limit = limit }
}

extension Call {
    /// The whole body of a request that carries parameters, not an object.
    /// - Parameter limit: bytes that the operation takes.
    /// - Throws: `BodyTooLarge`, or the connection's error.
    package func collectBody(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw BodyTooLarge(limit: limit) }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }
}
