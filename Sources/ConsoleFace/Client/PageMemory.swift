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
    private let values = Mutex<[String: Value]>([:])

    /// - Parameters:
    ///   - limit: the most values.
    ///   - capacity: the most bytes of all values together.
    init(limit: Int = 100, capacity: Int = 8 << 20) { (self.limit, self.capacity) = (limit, capacity) }

    /// Returns a value of this generation of the cloud.
    func value(_ id: String, generation: Int64, at now: Timestamp = .now()) -> Value? {
        values.withLock { values in
            dropEnded(&values, generation, now)
            return values[id]
        }
    }

    /// Returns the values of this generation, the newest first.
    func all(generation: Int64, at now: Timestamp = .now()) -> [Value] {
        values.withLock { values in
            dropEnded(&values, generation, now)
            return values.values.sorted { $0.created > $1.created }
        }
    }

    /// Keeps a value. The oldest ones are dropped if there are too many.
    func keep(_ value: Value) {
        values.withLock { values in
            values[value.id] = value
            while values.count > limit || values.values.reduce(0, { $0 + $1.size }) > capacity,
                let oldest = values.values.filter({ $0.id != value.id }).min(by: { $0.created < $1.created })
            {
                values[oldest.id] = nil
            }
        }
    }

    /// Removes a value.
    func remove(_ id: String) { values.withLock { $0[id] = nil } }

    /// Returns a name that cannot be guessed.
    static func newID() throws -> String { try randomBytes(12).base64url }

    private func dropEnded(_ values: inout [String: Value], _ generation: Int64, _ now: Timestamp) {
        values = values.filter { $0.value.created + lifetime > now && $0.value.generation == generation }
    }
}
