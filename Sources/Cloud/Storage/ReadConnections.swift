import SQLite
import Synchronization

/// The stack of idle reading connections of one database; it grows to as many as are ever busy at once.
final class ReadConnections: Sendable {
    private struct State {
        var idle: [LentConnection] = []
        var isClosed = false
    }

    private let path: String
    private let state = Mutex(State())

    init(path: String) { self.path = path }

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
        try connection.execute("PRAGMA query_only = ON; PRAGMA cache_size = -2048")
        return LentConnection(connection: connection)
    }
}
