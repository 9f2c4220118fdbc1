import Synchronization

/// The names of the snapshots of one test. A server has one list for all sandboxes, so that each name gets a prefix there.
final class SnapshotNames: Sendable {
    /// The prefix; empty for a server with one test.
    let prefix: String
    private let parent: SnapshotNames?
    private let taken = Mutex<Set<String>>([])

    /// - Parameter parent: the names that can be restored as well.
    init(prefix: String = "", parent: SnapshotNames? = nil) {
        self.prefix = prefix
        self.parent = parent
    }

    /// The snapshots that were taken, as the server names them.
    var all: [String] { taken.withLock { $0.map { prefix + $0 } } }

    /// The names that can be restored, sorted.
    private var known: [String] { (taken.withLock { Array($0) } + (parent?.known ?? [])).sorted() }

    /// Notes a snapshot that was taken.
    func note(_ name: String) { _ = taken.withLock { $0.insert(name) } }

    /// Returns the name of a snapshot in the list of the server.
    /// - Throws: ``CloudError`` if there is no such snapshot.
    func found(_ name: String) throws(CloudError) -> String {
        var names: SnapshotNames? = self
        while let current = names {
            // A client may have taken one that is not noted here.
            if current.prefix.isEmpty || current.taken.withLock({ $0.contains(name) }) { return current.prefix + name }
            names = current.parent
        }
        let others = known.isEmpty ? "There are none" : "There are \(known.joined(separator: ", "))"
        throw CloudError(.unknownSnapshot, "There is no snapshot '\(name)'. \(others). Take it first, with snapshot(\"\(name)\").")
    }
}
