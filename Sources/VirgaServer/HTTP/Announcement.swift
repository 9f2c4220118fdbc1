import Synchronization

/// Tells of listeners in the order in which they were asked for, whichever is ready first.
final class Announcement: Sendable {
    private let waiting = Mutex<(next: Int, urls: [Int: String])>((0, [:]))
    private let announce: @Sendable (String) -> Void

    init(_ announce: @escaping @Sendable (String) -> Void) { self.announce = announce }

    /// - Parameter position: the place of the listener, from 0.
    func ready(_ url: String, at position: Int) {
        // Under the lock, so that two listeners do not overtake each other.
        waiting.withLock { waiting in
            waiting.urls[position] = url
            while let url = waiting.urls.removeValue(forKey: waiting.next) {
                announce(url)
                waiting.next += 1
            }
        }
    }
}
