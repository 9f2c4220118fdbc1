import Cryptography
import Synchronization
import WireFormats

/// Something that pages keep in memory under a random name, because it must not be in a URL or the journal.
protocol KeptInMemory: Sendable {
    /// The random name.
    var id: String { get }
    /// The generation of the cloud. A reset starts another one and ends what was kept.
    var generation: Int64 { get }
    /// The real time at which it was first kept.
    var created: Timestamp { get }
    /// The size in bytes, as far as it counts.
    var size: Int { get }
}

extension KeptInMemory {
    var size: Int { 0 }
}

/// What the pages of a sandbox keep in memory: at most 100 values and 8 MiB, each for two hours, until a reset.
final class PageMemory<Value: KeptInMemory>: Sendable {
    private let limit: Int
    private let capacity: Int
    private let lifetime: Duration = .seconds(7200)
    private let entries = Mutex<[String: Entry]>([:])

    private struct Entry {
        var value: Value
        /// The session that kept the value, and alone can read it.
        var session: String
    }

    /// - Parameters:
    ///   - limit: the most values.
    ///   - capacity: the most bytes of all values together.
    init(limit: Int = 100, capacity: Int = 8 << 20) { (self.limit, self.capacity) = (limit, capacity) }

    /// Returns a value that the session kept in this generation of the cloud.
    func value(_ id: String, generation: Int64, session: String, at now: Timestamp = .now()) -> Value? {
        entries.withLock { entries in
            dropEnded(&entries, generation, now)
            return entries[id].flatMap { $0.session == session ? $0.value : nil }
        }
    }

    /// Returns the values that the session kept in this generation, the newest first.
    func all(generation: Int64, session: String, at now: Timestamp = .now()) -> [Value] {
        entries.withLock { entries in
            dropEnded(&entries, generation, now)
            return entries.values.filter { $0.session == session }.map(\.value).sorted { $0.created > $1.created }
        }
    }

    /// Keeps a value. The oldest ones are dropped if there are too many.
    func keep(_ value: Value, session: String) {
        entries.withLock { entries in
            entries[value.id] = Entry(value: value, session: session)
            while entries.count > limit || entries.values.reduce(0, { $0 + $1.value.size }) > capacity,
                let oldest = entries.values.map(\.value).filter({ $0.id != value.id }).min(by: { $0.created < $1.created })
            {
                entries[oldest.id] = nil
            }
        }
    }

    /// Removes a value that the session kept.
    func remove(_ id: String, session: String) {
        entries.withLock { entries in if entries[id]?.session == session { entries[id] = nil } }
    }

    /// Returns a name that cannot be guessed.
    static func newID() throws -> String { try randomBytes(12).base64url }

    private func dropEnded(_ entries: inout [String: Entry], _ generation: Int64, _ now: Timestamp) {
        entries = entries.filter { $0.value.value.created + lifetime > now && $0.value.value.generation == generation }
    }
}
