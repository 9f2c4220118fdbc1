import Calls
import Synchronization
import WireFormats

/// Counts the steps of the evaluation of one record, and stops it if it takes too many or its client is gone.
///
/// A step is about ten nanoseconds. Only one task uses a meter at a time.
final class SelectMeter: Sendable {
    private let most: Int
    private let steps = Atomic(0)
    private let client: ClientPresence?

    /// - Parameters:
    ///   - most: the maximum number of steps for one record; about ten seconds by default.
    ///   - client: the client that waits for the result.
    init(most: Int = 1 << 30, client: ClientPresence? = nil) { (self.most, self.client) = (most, client) }

    /// Begins the next record.
    func restart() { steps.store(0, ordering: .relaxed) }

    /// Counts steps.
    /// - Throws: a mismatch if there are too many, or if the evaluation is to stop.
    func spend(_ count: Int) throws(SelectValue.Mismatch) {
        let (sum, overflow) = steps.load(ordering: .relaxed).addingReportingOverflow(count)
        guard !overflow, sum <= most else { throw SelectValue.Mismatch(.complexity) }
        steps.store(sum, ordering: .relaxed)
        if client?.isGone == true { throw SelectValue.Mismatch(.stopped) }
    }
}
