import ObjectStore
import SQLite
import WireFormats

/// The clock's moves, so that a sandbox keeps its time after a restart. They are stored in one setting, as pairs of wall time and mode.
enum MoveRecords {
    private static let name = "clock-moves"
    /// The times and distances in milliseconds that a move can have: nine thousand years.
    private static let times: ClosedRange<Int64> = -(1 << 48)...(1 << 48)

    static func replace(_ moves: [ClockMove], in connection: Connection) throws {
        guard !moves.isEmpty else { return try SettingRecords.remove(name, in: connection) }
        let pairs = moves.map { JSONValue.array([.integer($0.wall.milliseconds), .integer($0.mode.word)]) }
        try SettingRecords.set(name, to: JSONValue.array(pairs).serializedBytes(), in: connection)
    }

    static func all(in connection: Connection) throws -> [ClockMove] {
        guard let text = try SettingRecords.value(name, in: connection) else { return [] }
        return try JSONValue(parsing: text).arrayValue?.compactMap { pair in
            guard let pair = pair.arrayValue, pair.count == 2, let wall = pair[0].integerValue, let word = pair[1].integerValue
            else { return nil }
            // The lowest bit of the word is not part of the time.
            guard times.contains(wall), times.contains(word >> 1) else { throw StorageError.otherRows(table: "settings") }
            return ClockMove(wall: Timestamp(milliseconds: wall), mode: ClockMode(word: word))
        } ?? []
    }
}
