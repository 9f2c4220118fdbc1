import Synchronization
import WireFormats

/// Numbers the versions of one store: in microseconds of the time at which they were written, and never twice.
final class VersionSequences: Sendable {
    private let last = Mutex<Int64>(0)

    /// A number above every earlier one, and above `newest`, the newest of the key's own.
    func next(at time: Timestamp, after newest: Int64?) -> Int64 {
        last.withLock { last in
            last = max(time.milliseconds * 1000, last + 1, (newest ?? 0) + 1)
            return last
        }
    }
}

/// What gives the rows of a write their numbers.
struct RowNumbers: Sendable {
    let contents: Contents
    let sequences: VersionSequences
}

extension ObjectStore {
    var numbers: RowNumbers { RowNumbers(contents: contents, sequences: sequences) }
}
