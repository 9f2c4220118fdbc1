import Calls
import NIOCore
import Synchronization
import WireFormats

/// The memory of request bodies while they are decided and sent: one budget for the process.
///
/// Signatures of the services cover the hash of the body, so no call can be decided, and no caller be known, before its last byte. A call that
/// does not fit is refused; it does not wait for others, because slow clients would then stop all. No client can take the memory of all others:
/// the bodies from one address have a share of it.
package final class BodyBudget: Sendable {
    private struct State {
        var used = 0
        /// The bytes of each client that holds some.
        var shares: TextDictionary<Int> = [:]
    }

    private let limit: Int
    private let share: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the number of bytes that all bodies together may have.
    ///   - share: the number of bytes that the bodies of one client together may have.
    package init(limit: Int, share: Int) {
        self.limit = limit
        self.share = share
    }

    /// The number of bytes that are held.
    package var held: Int { state.withLock { $0.used } }

    /// Returns the whole body of a call.
    /// - Parameters:
    ///   - size: the maximum size in bytes.
    ///   - held: is increased by the bytes that must be released.
    /// - Throws: `BodyTooLarge`, ``BudgetExhausted``, or the connection's error.
    func body(of call: Call, upTo size: Int, holding held: inout Int) async throws -> [UInt8] {
        if let whole = call.request.body.whole {
            guard whole.readableBytes <= size else { throw BodyTooLarge(limit: size) }
            try hold(whole.readableBytes, for: call.sourceIP, &held)
            return Array(whole.readableBytesView)
        }
        var bytes: [UInt8] = []
        for try await buffer in call.request.body {
            guard bytes.count + buffer.readableBytes <= size else { throw BodyTooLarge(limit: size) }
            try hold(buffer.readableBytes, for: call.sourceIP, &held)
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    /// Counts bytes that are about to be held.
    /// - Parameters:
    ///   - client: the address of the client.
    ///   - held: is increased by the bytes that must be released.
    package func hold(_ count: Int, for client: String, _ held: inout Int) throws(BudgetExhausted) {
        let (limit, share) = (limit, share)
        let isHeld = state.withLock { state in
            let own = (state.shares[client] ?? 0) + count
            guard state.used + count <= limit, own <= share else { return false }
            state.used += count
            state.shares[client] = own
            return true
        }
        guard isHeld else { throw BudgetExhausted() }
        held += count
    }

    /// Releases bytes.
    package func release(_ count: Int, for client: String) {
        guard count > 0 else { return }
        state.withLock { state in
            state.used -= count
            let own = (state.shares[client] ?? 0) - count
            state.shares[client] = own > 0 ? own : nil
        }
    }
}

/// The error for a body that does not fit into the memory of all bodies.
package struct BudgetExhausted: Error {}
