import SQLite

/// A connection that moves between threads and is used by one at a time.
///
/// Unchecked, because the compiler cannot see the hand-over: a reading connection is either in the stack of
/// ``ReadConnections``, behind its mutex, or with the one call that popped it; the writing connection is used only by the
/// one turn at a time that ``WriteQueue`` takes, and by the database before the first turn and after the last one.
struct LentConnection: @unchecked Sendable {
    let connection: Connection
}
