import SQLite

/// A connection that moves between threads, one borrower at a time.
///
/// Unchecked, because the compiler cannot see the hand-over: a reading connection is either in the stack of
/// ``ReadConnections``, behind its mutex, or with the one call that popped it; the writing connection is used only on the
/// one thread of ``WriteQueue``, and by the database before that thread starts and after it has ended.
struct LentConnection: @unchecked Sendable {
    let connection: Connection
}
