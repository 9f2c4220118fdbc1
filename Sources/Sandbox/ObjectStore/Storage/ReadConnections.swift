import SQLite
import Synchronization
import WireFormats

/// The idle reading connections of one database. There are as many connections as were ever in use at the same time.
final class ReadConnections: Sendable {
    private struct State {
        var idle: [LentConnection] = []
        var isClosed = false
    }

    /// The purpose of the connections.
    enum Purpose {
        /// Records and small bodies. Pages are read from a memory map, which halves the cost of a lookup but counts towards resident
        /// memory.
        case records
        /// The pieces of large bodies. Pages are read through a small cache, so that memory does not grow with the amount of data.
        case pieces
    }

    private let path: String
    private let purpose: Purpose
    private let limits: Database.Limits
    private let state = Mutex(State())

    init(path: String, for purpose: Purpose, _ limits: Database.Limits) {
        self.path = path
        self.purpose = purpose
        self.limits = limits
    }

    /// Calls `body` with the most recently used connection, whose cache is the most useful.
    func withConnection<T>(_ body: (Connection) throws -> T) throws -> T {
        let idle = try state.withLock { state in
            guard !state.isClosed else { throw StorageError.closed }
            return state.idle.popLast()
        }
        let lent = try idle ?? open()
        defer {
            state.withLock { state in
                if !state.isClosed, state.idle.count < limits.idleReaders { state.idle.append(lent) }
            }
        }
        return try body(lent.connection)
    }

    /// Rejects further reads and closes the idle connections. A busy one closes when its read ends.
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
            case .records: "PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -\(limits.readerCache)"
            case .pieces: "PRAGMA mmap_size = 0; PRAGMA cache_size = -512"
            }
        try connection.execute("PRAGMA query_only = ON; " + memory)
        return LentConnection(connection: connection)
    }
}
