import SQLite

/// A connection that moves between threads and is used by one at a time.
///
/// Unchecked `Sendable`, because the compiler cannot verify the transfer. A reading connection is either in the stack of
/// ``ReadConnections``, which a mutex protects, or used by the one call that removed it. The writing connection is used only on the thread
/// of ``WriteQueue``, and by the database before that thread starts and after it has ended.
struct LentConnection: @unchecked Sendable {
    let connection: Connection
}
