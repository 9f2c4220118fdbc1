import Synchronization
import WireFormats

/// Assigns the sequence numbers of versions: the time of writing in microseconds, made unique.
final class VersionSequences: Sendable {
    private let last = Mutex<Int64>(0)

    /// Returns a number that is greater than every earlier one, and than `newest`, the key's newest.
    func next(at time: Timestamp, after newest: Int64?) -> Int64 {
        last.withLock { last in
            last = max(time.milliseconds * 1000, last + 1, (newest ?? 0) + 1)
            return last
        }
    }
}

/// The sources of the numbers that a write assigns.
struct RowNumbers: Sendable {
    let contents: Contents
    let sequences: VersionSequences
}

extension ObjectStore {
    var numbers: RowNumbers { RowNumbers(contents: contents, sequences: sequences) }
}
