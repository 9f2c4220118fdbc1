import Synchronization
import WireFormats

/// The part of a query that runs on the threads of queries: decompression and evaluation.
///
/// One turn at a time changes it; between the turns it belongs to the task of the request.
final class SelectStage: Sendable {
    /// The state after a turn.
    struct Progress: Sendable {
        /// The number of bytes after decompression.
        var processed: Int64 = 0
        /// The size of the output that has not been taken, in bytes.
        var output = 0
        /// Whether the next bytes of the object are required.
        var needsBytes = true
        /// Whether the query is complete.
        var isAtEnd = false
        var refusal: SelectRefusal?
    }

    private struct State {
        var run: SelectRun
        var decoder: SelectDecoder
        /// Whether there are bytes that have not been evaluated.
        var isEvaluating = false
        var progress = Progress()

        mutating func takeTurn() throws(SelectRefusal) {
            if !isEvaluating {
                guard let bytes = try decoder.next() else { return progress.needsBytes = true }
                progress.processed += Int64(bytes.count)
                run.append(bytes, isLast: decoder.isAtEnd)
                isEvaluating = true
            }
            guard try run.evaluate() else { return }
            isEvaluating = false
            if run.isComplete, !decoder.isAtEnd {
                run.append([], isLast: true)
                _ = try run.evaluate()
            }
            progress.isAtEnd = run.isComplete || decoder.isAtEnd
            progress.needsBytes = !progress.isAtEnd && decoder.needsBytes
        }
    }

    private let state: Mutex<State>

    init(_ run: SelectRun, _ compression: SelectRequest.Compression) {
        state = Mutex(State(run: run, decoder: SelectDecoder(compression)))
    }

    /// Adds the next bytes of the object.
    /// - Parameter isLast: whether these are the last bytes.
    func append(_ bytes: [UInt8], isLast: Bool) {
        state.withLock { state in
            state.decoder.append(bytes, isLast: isLast)
            state.progress.needsBytes = false
        }
    }

    /// Decompresses a chunk, or evaluates records for a turn.
    func takeTurn() -> Progress {
        state.withLock { state in
            do throws(SelectRefusal) { try state.takeTurn() } catch { state.progress.refusal = error }
            state.progress.output = state.run.output.count
            return state.progress
        }
    }

    /// Returns the records that were found since the last call.
    func takeOutput() -> [UInt8] {
        state.withLock { state in
            state.progress.output = 0
            return state.run.takeOutput()
        }
    }
}
