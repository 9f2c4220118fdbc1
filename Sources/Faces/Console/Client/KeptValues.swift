import WireFormats

/// Values without a name of their own, which pages show once or for a while.
final class KeptValues<Value: Sendable>: Sendable {
    private struct Entry: KeptInMemory {
        var id: String
        var generation: Int64
        var created: Timestamp
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
        memory.keep(Entry(id: id, generation: generation, created: now, value: value), session: session)
        return id
    }

    /// Returns a value that the same session kept in this generation.
    func value(_ name: String, generation: Int64, session: String, at now: Timestamp = .now()) -> Value? {
        memory.value(name, generation: generation, session: session, at: now)?.value
    }
}
