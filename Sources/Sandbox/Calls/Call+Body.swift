import NIOCore
import WireFormats

/// The error for a body that is longer than the operation accepts.
package struct BodyTooLarge: Error {
    /// The accepted size in bytes.
    package var limit: Int

    /// - Parameter limit: the accepted size in bytes.
    package init(limit: Int) { self.limit = limit }
}

extension Call {
    /// Returns the whole body of a request that carries parameters, not an object.
    /// - Parameter limit: the accepted size in bytes.
    /// - Throws: `BodyTooLarge`, or the connection's error.
    package func collectBody(upTo limit: Int) async throws -> [UInt8] {
        if let whole = request.body.whole {
            guard whole.readableBytes <= limit else { throw BodyTooLarge(limit: limit) }
            return Array(whole.readableBytesView)
        }
        var bytes: [UInt8] = []
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw BodyTooLarge(limit: limit) }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }
}
