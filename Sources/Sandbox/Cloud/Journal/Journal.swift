import Synchronization
import WireFormats

/// The recent exchanges of the sandbox, within a fixed number of bytes.
///
/// An entry contains the inputs of its decisions. Their traces are computed when they are requested.
package final class Journal: Sendable {
    /// An entry with its cost. A class, because an entry has twenty words, which would be copied repeatedly.
    private final class Kept: Sendable {
        let entry: JournalEntry
        let cost: Int

        init(_ entry: consuming JournalEntry, cost: Int) {
            self.entry = entry
            self.cost = cost
        }
    }

    private struct State {
        /// The entries, whose numbers end before `nextNumber`. A dropped entry is `nil`, so that its texts are freed at once. Its slot is
        /// freed
        /// when the array is compacted.
        var entries: [Kept?] = []
        /// The index of the oldest entry. The array is compacted when it is beyond the middle.
        var first = 0
        var bytes = 0
        var nextNumber: Int64 = 1
        /// The number of the first entry since the journal was last emptied.
        var firstNumber: Int64 = 1
    }

    private let state = Mutex(State())
    private let capacity: Int
    /// Whether headers and bodies of requests are captured.
    package let capture = JournalCapture()

    /// - Parameter capacity: the maximum total ``JournalEntry/cost`` of the entries, in bytes.
    package init(capacity: Int = 8 << 20) { self.capacity = capacity }

    /// Adds an entry. The oldest one is dropped if the journal is full.
    package func append(_ entry: consuming JournalEntry) {
        let cost = entry.cost
        // Created outside the lock.
        let kept = Kept(consume entry, cost: cost)
        state.withLock { state in
            state.entries.append(kept)
            state.nextNumber += 1
            state.bytes += cost
            while state.bytes > capacity, state.first < state.entries.count - 1 {
                state.bytes -= state.entries[state.first]?.cost ?? 0
                state.entries[state.first] = nil
                state.first += 1
            }
            if state.first > 1024, state.first > state.entries.count / 2 {
                state.entries.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    /// Returns the newest matching entries, the newest first.
    package func recent(limit: Int, where fits: (JournalEntry) -> Bool) -> [JournalEntry] {
        let (entries, first, nextNumber) = state.withLock { ($0.entries, $0.first, $0.nextNumber) }
        var found: [JournalEntry] = []
        for index in entries[first...].indices.reversed() {
            guard var entry = entries[index]?.entry else { continue }
            // Numbers are consecutive, like the entries.
            entry.number = nextNumber - Int64(entries.count - index)
            guard fits(entry) else { continue }
            found.append(entry)
            if found.count == limit { break }
        }
        return found
    }

    /// A part of the journal.
    package struct Excerpt: Sendable {
        /// The entries, the oldest first.
        package var entries: [JournalEntry]
        /// Whether the journal still has all entries of the part.
        package var isComplete: Bool
        /// The number of the newest entry of the journal; 0 if there was none.
        package var last: Int64
    }

    /// Returns the entries after one.
    /// - Parameter number: the number of an entry; `nil` for the time when the journal was last emptied.
    package func entries(after number: Int64?) -> Excerpt {
        let state = state.withLock { $0 }
        let kept = state.entries[state.first...]
        let oldest = state.nextNumber - Int64(kept.count)
        let start = number.map { $0 < .max ? $0 + 1 : .max } ?? state.firstNumber
        var entries: [JournalEntry] = []
        for (offset, kept) in kept.enumerated() where oldest + Int64(offset) >= start {
            guard var entry = kept?.entry else { continue }
            entry.number = oldest + Int64(offset)
            entries.append(entry)
        }
        return Excerpt(entries: entries, isComplete: oldest <= start, last: state.nextNumber - 1)
    }

    /// The number of the newest entry, which may have been dropped; 0 if there was none.
    package var lastNumber: Int64 { state.withLock { $0.nextNumber - 1 } }

    /// The number of the first entry since the journal was last emptied, even if it is dropped or does not exist yet.
    package var firstNumber: Int64 { state.withLock { $0.firstNumber } }

    /// The number of entries, and the total of their costs in bytes.
    package var extent: (entries: Int, bytes: Int) { state.withLock { ($0.entries.count - $0.first, $0.bytes) } }

    /// Removes every entry. Numbering continues.
    package func removeAll() { state.withLock { $0 = State(nextNumber: $0.nextNumber, firstNumber: $0.nextNumber) } }
}
