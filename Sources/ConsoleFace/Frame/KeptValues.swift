import Cryptography
import Synchronization
import WireFormats

/// Values that pages show once or for a while, kept in memory under random names because they must not be part of a URL.
///
/// The oldest ones are dropped if there are too many. A value ends after its lifetime and with a reset of the cloud.
final class KeptValues<Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var generation: Int64
        var session: String
        var kept: Timestamp
    }

    private let limit: Int
    private let lifetime: Duration
    private let entries = Mutex<[String: Entry]>([:])

    init(limit: Int = 50, lifetime: Duration = .seconds(3600)) { (self.limit, self.lifetime) = (limit, lifetime) }

    /// Keeps a value.
    /// - Parameters:
    ///   - generation: the generation of the cloud.
    ///   - session: the session that can read the value.
    /// - Returns: the name of the value.
    func keep(_ value: Value, generation: Int64, session: String, at now: Timestamp = .now()) throws -> String {
        let name = try randomBytes(12).base64url
        entries.withLock { entries in
            entries[name] = Entry(value: value, generation: generation, session: session, kept: now)
            while entries.count > limit, let oldest = entries.min(by: { $0.value.kept < $1.value.kept }) { entries[oldest.key] = nil }
        }
        return name
    }

    /// Returns a value that the same session kept in this generation.
    func value(_ name: String, generation: Int64, session: String, at now: Timestamp = .now()) -> Value? {
        entries.withLock { entries in
            entries = entries.filter { $0.value.kept + lifetime > now && $0.value.generation == generation }
            return entries[name].flatMap { $0.session == session ? $0.value : nil }
        }
    }
}
