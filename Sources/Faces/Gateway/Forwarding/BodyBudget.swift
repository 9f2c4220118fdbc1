import Calls
import NIOCore
import Synchronization
import WireFormats

/// The memory of request bodies while they are decided and sent: one budget for the process.
///
/// Signatures of the services cover the hash of the body, so no call can be decided before its last byte. A call that does not fit is
/// refused; it does not wait for others, because slow clients would then stop all.
package final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic(0)

    /// - Parameter limit: the number of bytes that all bodies together may have.
    package init(limit: Int) { self.limit = limit }

    /// The number of bytes that are held.
    package var held: Int { used.load(ordering: .relaxed) }

    /// Returns the whole body of a call.
    /// - Parameters:
    ///   - size: the maximum size in bytes.
    ///   - held: is increased by the bytes that must be released.
    /// - Throws: `BodyTooLarge`, ``BudgetExhausted``, or the connection's error.
    func body(of call: Call, upTo size: Int, holding held: inout Int) async throws -> [UInt8] {
        if let whole = call.request.body.whole {
            guard whole.readableBytes <= size else { throw BodyTooLarge(limit: size) }
            try hold(whole.readableBytes, &held)
            return Array(whole.readableBytesView)
        }
        var bytes: [UInt8] = []
        for try await buffer in call.request.body {
            guard bytes.count + buffer.readableBytes <= size else { throw BodyTooLarge(limit: size) }
            try hold(buffer.readableBytes, &held)
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    /// Counts bytes that are about to be held.
    func hold(_ count: Int, _ held: inout Int) throws(BudgetExhausted) {
        guard used.add(count, ordering: .relaxed).newValue <= limit else {
            used.subtract(count, ordering: .relaxed)
            throw BudgetExhausted()
        }
        held += count
    }

    /// Releases bytes.
    func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}

/// The error for a body that does not fit into the memory of all bodies.
package struct BudgetExhausted: Error {}
