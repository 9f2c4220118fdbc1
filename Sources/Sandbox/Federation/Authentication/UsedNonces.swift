import Synchronization
import WireFormats

/// The nonces of signed calls, kept for as long as a replayed call would still have an acceptable time.
///
/// They are kept in memory and use the wall clock, like the times of the calls. Two generations bound their number: when the younger one is
/// old enough, or full, it replaces the older one.
final class UsedNonces: Sendable {
    private struct Generations {
        var young: Set<String> = []
        var old: Set<String> = []
        /// When the younger generation began.
        var begun: Timestamp
    }

    private let capacity: Int
    private let generations = Mutex(Generations(begun: Timestamp(milliseconds: .min)))

    /// Creates an empty set.
    /// - Parameter capacity: the number of nonces in one generation; at most twice as many are kept.
    init(capacity: Int = 1 << 17) { self.capacity = capacity }

    /// Records a nonce of an access key.
    /// - Returns: whether the nonce is new.
    func insert(_ nonce: String, of accessKey: String, at now: Timestamp) -> Bool {
        let entry = "\(accessKey) \(nonce)"
        return generations.withLock { generations in
            // A call's time may be ahead by as much as behind.
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
