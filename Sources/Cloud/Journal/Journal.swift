import Synchronization

/// The recent exchanges of the sandbox, within a fixed number of bytes.
///
/// An entry holds what a decision was made from; its trace is computed again when somebody looks.
package final class Journal: Sendable {
    /// An entry and what it is counted with; by reference, since an entry is twenty words that would be copied again and again.
    private final class Kept: Sendable {
        let entry: JournalEntry
        let cost: Int

        init(_ entry: consuming JournalEntry, cost: Int) {
            self.entry = entry
            self.cost = cost
        }
    }

    private struct State {
        /// With the numbers before `nextNumber`. `nil` if an entry has been dropped: its texts are freed at once, its place when the array is compacted.
        var entries: [Kept?] = []
        /// Index of the oldest entry; the array is compacted when half of it lies before this.
        var first = 0
        var bytes = 0
        var nextNumber: Int64 = 1
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: bytes that the entries may take together, by ``JournalEntry/cost``.
    package init(capacity: Int = 8 << 20) { self.capacity = capacity }

    /// Adds an entry. The oldest one is dropped if the journal is full.
    package func append(_ entry: consuming JournalEntry) {
        let cost = entry.cost
        // Made outside the lock.
        let kept = Kept(entry, cost: cost)
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

    /// The newest entries that fit, newest first.
    package func recent(limit: Int, where fits: (JournalEntry) -> Bool) -> [JournalEntry] {
        let (entries, first, nextNumber) = state.withLock { ($0.entries, $0.first, $0.nextNumber) }
        var found: [JournalEntry] = []
        for index in entries[first...].indices.reversed() {
            guard var entry = entries[index]?.entry else { continue }
            // Numbers follow one another, and so do the entries.
            entry.number = nextNumber - Int64(entries.count - index)
            guard fits(entry) else { continue }
            found.append(entry)
            if found.count == limit { break }
        }
        return found
    }

    /// Removes every entry. Numbers go on.
    package func removeAll() { state.withLock { $0 = State(nextNumber: $0.nextNumber) } }
}
