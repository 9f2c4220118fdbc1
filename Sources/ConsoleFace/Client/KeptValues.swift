import WireFormats

/// Values that pages show once or for a while, each for the session that kept it.
final class KeptValues<Value: Sendable>: Sendable {
    private struct Entry: KeptInMemory {
        var id: String
        var generation: Int64
        var created: Timestamp
        var session: String
        var value: Value
    }

    private let memory = PageMemory<Entry>(limit: 50)

    /// Keeps a value.
    /// - Parameters:
    ///   - generation: the generation of the cloud.
    ///   - session: the session that can read the value.
    /// - Returns: the name of the value.
    func keep(_ value: Value, generation: Int64, session: String, at now: Timestamp = .now()) throws -> String {
        let id = try PageMemory<Entry>.newID()
        memory.keep(Entry(id: id, generation: generation, created: now, session: session, value: value))
        return id
    }

    /// Returns a value that the same session kept in this generation.
    func value(_ name: String, generation: Int64, session: String, at now: Timestamp = .now()) -> Value? {
        memory.value(name, generation: generation, at: now).flatMap { $0.session == session ? $0.value : nil }
    }
}
