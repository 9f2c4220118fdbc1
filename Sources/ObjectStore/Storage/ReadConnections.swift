import SQLite
import Synchronization

/// The stack of idle reading connections of one database; it grows to as many as are ever busy at once.
final class ReadConnections: Sendable {
    private struct State {
        var idle: [LentConnection] = []
        var isClosed = false
    }

    /// What the connections are for.
    enum Purpose {
        /// Records and small bodies: pages are used where the file is mapped into memory, which halves the cost of a look-up
        /// and counts as resident what has been looked at.
        case records
        /// The pieces of large bodies: pages pass through a small cache, so that memory does not grow with what is read.
        case pieces
    }

    private let path: String
    private let purpose: Purpose
    private let state = Mutex(State())

    init(path: String, for purpose: Purpose) {
        self.path = path
        self.purpose = purpose
    }

    /// Lends the connection used last, whose cache is the warmest, to `body`.
    func withConnection<T>(_ body: (Connection) throws -> T) throws -> T {
        let idle = try state.withLock { state in
            guard !state.isClosed else { throw StorageError.closed }
            return state.idle.popLast()
        }
        let lent = try idle ?? open()
        defer {
            state.withLock { state in
                if !state.isClosed { state.idle.append(lent) }
            }
        }
        return try body(lent.connection)
    }

    /// Refuses further reads and closes the idle connections; a busy one closes when its read ends.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        _ = idle
    }

    private func open() throws -> LentConnection {
        let connection = try Connection(path: path)
        let memory =
            switch purpose {
            case .records: "PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -2048"
            case .pieces: "PRAGMA mmap_size = 0; PRAGMA cache_size = -512"
            }
        try connection.execute("PRAGMA query_only = ON; " + memory)
        return LentConnection(connection: connection)
    }
}
