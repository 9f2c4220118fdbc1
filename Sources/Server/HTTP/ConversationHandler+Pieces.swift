import Calls
import NIOCore
import WireFormats

/// What is left of a body whose client does not read. A class, because every connection has room for one.
final class PausedBody {
    let pieces: BodyPieces

    init(_ pieces: BodyPieces) { self.pieces = pieces }
}

extension ConversationHandler {
    /// Starts to write a body that is read in pieces.
    func start(_ pieces: BodyPieces) { executor.starting { write(pieces) } }

    /// Continues to write a body, in the next turn of the loop: the client has just received something.
    func restart(_ pieces: BodyPieces) { write(pieces) }

    /// Writes what is left of a body in a task.
    private func write(_ pieces: BodyPieces) {
        guard let context else { return }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        Task(executorPreference: executor) {
            do {
                try await ConversationHandler.write(pieces, to: handler)
            } catch {
                handler.value.abort()
            }
        }
    }

    private static func write(_ pieces: BodyPieces, to handler: NIOLoopBound<ConversationHandler>) async throws {
        let writer = AnswerWriter(handler)
        var pieces = pieces
        while !pieces.isEmpty, let piece = try await pieces.next(for: writer.room()) {
            if try handler.value.write(piece) { continue }
            // The rest is written by another task.
            if handler.value.pause(pieces) { return }
            try await handler.value.awaitReceiver()
        }
        try handler.value.finish()
    }

    /// Keeps what is left of a body until the client has received enough, if the memory of responses is used up: a task that waits needs
    /// nearly as much as the piece that it has written.
    /// - Returns: whether the writer ends, because another one is started then.
    private func pause(_ pieces: BodyPieces) -> Bool {
        guard unread.memory.isExhausted, !unread.hasEnded, unread.unsent > unread.window else { return false }
        unread.paused = PausedBody(pieces)
        timeouts.waitsSince = .now()
        return true
    }
}
