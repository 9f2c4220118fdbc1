package import Cloud
import Synchronization
package import WireFormats

/// The progress of each sandbox. It reads only the entries of a journal that are new since the last reading, so that it can be polled.
/// Requests do not write into it.
package final class ProgressBook: Sendable {
    /// A state of a sandbox: a restore or a reset begins another one.
    package struct Incarnation: Sendable, Equatable {
        /// The number of the folder with the state.
        package var world: Int?
        /// The number of the generation, which a reset increments.
        package var generation: Int64

        /// - Parameters:
        ///   - world: the number of the folder with the state.
        ///   - generation: the number of the generation.
        package init(world: Int?, generation: Int64) {
            (self.world, self.generation) = (world, generation)
        }
    }

    private struct Page {
        var incarnation: Incarnation
        /// Identifies the journal. A sandbox that was evicted has another one when it is open again.
        var journal: ObjectIdentifier
        var last: Int64
        var progress = SandboxProgress()
    }

    private let pages = Mutex<[String: Page]>([:])

    package init() {}

    /// Reads what is new in the journal of an open sandbox.
    /// - Parameter now: the real time.
    package func read(_ sandbox: String, _ incarnation: Incarnation, of cloud: Cloud, at now: Timestamp = .now()) {
        let journal = cloud.journal
        let identifier = ObjectIdentifier(journal)
        var page = pages.withLock { $0[sandbox] } ?? Page(incarnation: incarnation, journal: identifier, last: 0)
        if page.incarnation != incarnation {
            // A reset keeps the journal object. Its first number is that of the first entry since the reset.
            page = Page(incarnation: incarnation, journal: identifier, last: journal.firstNumber - 1)
        } else if page.journal != identifier {
            (page.journal, page.last) = (identifier, 0)
        }
        let excerpt = journal.lastNumber == page.last ? nil : journal.entries(after: page.last)
        if let excerpt, let newest = excerpt.entries.last {
            // The entries have the sandbox's time, which may be moved or stand still.
            let age = max(0, cloud.clock.now.milliseconds - newest.time.milliseconds)
            page.progress.add(excerpt.entries, active: Timestamp(milliseconds: now.milliseconds - min(age, 86_400_000)))
            page.last = excerpt.last
        }
        let result = page
        pages.withLock { pages in
            // Another caller may have read more in the meantime.
            if let present = pages[sandbox], present.journal == result.journal, present.incarnation == result.incarnation,
                present.last > result.last
            {
                return
            }
            pages[sandbox] = result
        }
    }

    /// Returns the progress of a sandbox when it was last read; `nil` if it has not been read.
    package func progress(of sandbox: String) -> SandboxProgress? { pages.withLock { $0[sandbox]?.progress } }

    /// Forgets a sandbox that was removed.
    package func forget(_ sandbox: String) { pages.withLock { $0[sandbox] = nil } }
}
