/// What `GET /usage/history` returns.
package struct HistoryMembers: DeclaredMembers {
    package var (enabled, allowed, denied) = (flag("enabled"), integer("allowed"), integer("denied"))
    /// The length of an interval.
    package var step = duration("step")
    /// The intervals with decisions, the first one first.
    package var intervals = list(of: IntervalMembers.self, "intervals")
}

/// An interval, and how many decisions were made in it.
package struct IntervalMembers: DeclaredMembers {
    package var (start, allowed, denied) = (date("start"), integer("allowed"), integer("denied"))
}
