/// The limits of sandboxes, and what may create them.
package struct SandboxSettings: Sendable {
    /// The most sandboxes that exist besides the default one.
    package var count = 100
    /// The most sandboxes that are open besides the default one. The least recently used is evicted.
    package var openCount = 64
    /// After how many seconds without a request a sandbox is evicted.
    package var idle: Int64 = 900
    /// The most bytes of a sandbox's database; `nil` for no limit.
    package var size: Int64?
    /// The ports that sandboxes get; `nil` for any free one.
    package var ports: ClosedRange<Int>? = 4600...4699
    /// The snapshot, or `seed`, from which a sandbox is created when a request names one that does not exist; `nil` to refuse the request.
    package var onDemand: String?

    /// The most bytes of the journal of a sandbox other than the default one.
    package var journalCapacity = 1 << 20

    package init() {}
}
