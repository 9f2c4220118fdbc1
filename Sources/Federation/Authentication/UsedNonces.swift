import Synchronization
import WireFormats

/// The nonces of signed calls, kept for as long as a call with the same time would be believed once more.
///
/// They live in memory and by the wall clock, like the times that they come with. Two generations bound them: when the younger one is
/// old enough, or full, it becomes the older.
final class UsedNonces: Sendable {
    private struct Generations {
        var young: Set<String> = []
        var old: Set<String> = []
        /// When the younger generation began.
        var begun: Timestamp
    }

    private let capacity: Int
    private let generations = Mutex(Generations(begun: Timestamp(milliseconds: .min)))

    /// - Parameter capacity: nonces in one generation, so that at most twice as many are kept.
    init(capacity: Int = 1 << 17) { self.capacity = capacity }

    /// Notes a nonce of an access key.
    /// - Returns: whether it is new.
    func insert(_ nonce: String, of accessKey: String, at now: Timestamp) -> Bool {
        let entry = "\(accessKey) \(nonce)"
        return generations.withLock { generations in
            // A time may lie as far ahead as behind.
            if now - generations.begun > Authenticator.allowedSkew * 2 || generations.young.count >= capacity {
                generations.old = generations.young
                generations.young = []
                generations.begun = now
            }
            guard !generations.old.contains(entry) else { return false }
            return generations.young.insert(entry).inserted
        }
    }
}
