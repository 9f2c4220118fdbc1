/// The limits of sandboxes, and how they are created on demand.
package struct SandboxSettings: Sendable {
    /// The maximum number of sandboxes, not counting the default one.
    package var count = 100
    /// The maximum number of open sandboxes, not counting the default one. Beyond it, the least recently used is evicted.
    package var openCount = 64
    /// The number of seconds without a request after which a sandbox is evicted.
    package var idle: Int64 = 900
    /// The maximum size of a sandbox's database in bytes; `nil` for no limit.
    package var size: Int64?
    /// The ports for sandboxes; `nil` for any free port.
    package var ports: ClosedRange<Int>? = 4600...4699
    /// The origin of a sandbox that a request names and that does not exist: a snapshot, or `seed`. `nil` rejects such requests.
    package var onDemand: String?

    /// The most bytes of the journal of a sandbox other than the default one.
    package var journalCapacity = 1 << 20

    package init() {}
}
