import WireFormats

/// The newest sessions that were issued, up to a fixed number.
struct IssuedSessions {
    private static let capacity = 1024

    /// The generation of the sandbox in which the sessions were issued; a reset invalidates them.
    private var generation: Int64 = 0
    /// A ring buffer: once it is full, the oldest entry is at `next`.
    private var ring: [SessionCredentials] = []
    private var next = 0

    mutating func append(_ credentials: SessionCredentials, generation: Int64) {
        if self.generation != generation { self = IssuedSessions(generation: generation) }
        if ring.count < Self.capacity {
            ring.append(credentials)
        } else {
            ring[next] = credentials
            next = (next + 1) % Self.capacity
        }
    }

    /// Returns the sessions of a generation, in the order of issue.
    func entries(generation: Int64) -> [SessionCredentials] {
        self.generation == generation ? Array(ring[next...] + ring[..<next]) : []
    }

    private init(generation: Int64) { self.generation = generation }

    init() {}
}
