import ObjectStore
import SQLite
import Tokens
import WireFormats

/// A generation of the sandbox, which ends with a reset, and the epochs in it.
struct Generation: Sendable {
    /// The number of the generation, from 1.
    let number: Int64
    /// The epochs, the oldest first. The newest one seals and signs.
    let epochs: [Epoch]
    /// The key that seals session tokens. It opens what was sealed in each of the epochs.
    let sealingKey: SealingKey

    private static let numberName = "generation"
    private static let epochsName = "epochs"
    /// Where files of earlier versions keep the secret of the one epoch.
    private static let secretName = "session-secret"

    /// Creates a generation with a new epoch.
    init(number: Int64) throws { try self.init(number: number, epochs: [Epoch()]) }

    private init(number: Int64, epochs: [Epoch]) throws {
        self.number = number
        self.epochs = epochs
        let keys = try epochs.map { try SealingKey(key: $0.secret, generation: Array($0.id.utf8)) }
        guard let newest = epochs.last else { preconditionFailure("a generation has an epoch") }
        sealingKey = try SealingKey(
            key: newest.secret, generation: Array(newest.id.utf8), earlier: keys.dropLast(), use: newest.use)
    }

    /// The epoch that seals and signs.
    var epoch: Epoch {
        guard let newest = epochs.last else { preconditionFailure("a generation has an epoch") }
        return newest
    }

    /// The most epochs before the newest one. An issuer publishes its keys once for each of them.
    static let mostEarlierEpochs = 63

    /// Returns the same generation with another epoch, the newest one.
    ///
    /// Earlier epochs in which nothing was issued are left out, so that snapshots without requests between them add nothing. The previous
    /// one stays, because a request may be about to use it. Of the others, the newest ones stay: a frozen clock never lets them expire.
    func withNewEpoch() throws -> Generation {
        let earlier = epochs.dropLast().filter(\.use.isUsed) + [epoch]
        return try Generation(number: number, epochs: earlier.suffix(Self.mostEarlierEpochs) + [Epoch()])
    }

    static func stored(in connection: Connection) throws -> Generation? {
        guard let number = try storedNumber(in: connection) else { return nil }
        if let list = try SettingRecords.value(epochsName, in: connection) {
            let epochs = try JSONValue(parsing: list).arrayValue?.compactMap(Epoch.init) ?? []
            guard epochs.count <= mostEarlierEpochs + 1, epochs.allSatisfy(\.isPossible), Set(epochs.map(\.id)).count == epochs.count else {
                throw StorageError.otherRows(table: "settings")
            }
            return epochs.isEmpty ? nil : try Generation(number: number, epochs: epochs)
        }
        guard let secret = try SettingRecords.value(secretName, in: connection) else { return nil }
        return try Generation(number: number, epochs: [Epoch(id: String(number), secret: secret)])
    }

    /// Returns the number of the newest generation, complete or not; 0 in a new sandbox.
    static func latestNumber(in connection: Connection) throws -> Int64 {
        try storedNumber(in: connection) ?? 0
    }

    /// The greatest number of a generation.
    private static let greatestNumber: Int64 = 1 << 40

    /// Checks that many resets can follow the stored generation of a file from outside.
    /// - Throws: `StorageError.otherRows`.
    static func checkRoom(in connection: Connection) throws {
        guard try latestNumber(in: connection) <= greatestNumber / 2 else { throw StorageError.otherRows(table: "settings") }
    }

    private static func storedNumber(in connection: Connection) throws -> Int64? {
        guard let text = try SettingRecords.value(numberName, in: connection),
            let number = Int64(String(decoding: text, as: UTF8.self))
        else { return nil }
        // The next generation has the next number.
        guard (0...greatestNumber).contains(number) else { throw StorageError.otherRows(table: "settings") }
        return number
    }

    /// Deletes the epochs of the stored generation, so that none is found until the next is stored. The number is kept, because it is
    /// never reused.
    static func abandon(in connection: Connection) throws {
        try SettingRecords.remove(epochsName, in: connection)
        try SettingRecords.remove(secretName, in: connection)
    }

    func store(in connection: Connection) throws {
        try SettingRecords.set(Self.numberName, to: Array(String(number).utf8), in: connection)
        try SettingRecords.set(
            Self.epochsName, to: JSONValue.array(epochs.map(\.record)).serializedBytes(), in: connection)
        try SettingRecords.remove(Self.secretName, in: connection)
    }
}
