import Cryptography
import SQLite
import Tokens
import WireFormats

/// What separates the sandbox before a reset from the one after it.
struct Generation: Sendable {
    /// Counts resets, from 1.
    let number: Int64
    /// Seals session tokens.
    let sealingKey: SealingKey
    /// What the sealing key is made of; 32 bytes.
    private let secret: [UInt8]

    private static let numberName = "generation"
    private static let secretName = "session-secret"

    /// A new generation with a secret of its own.
    init(number: Int64) throws { try self.init(number: number, secret: randomBytes(32)) }

    private init(number: Int64, secret: [UInt8]) throws {
        self.number = number
        self.secret = secret
        sealingKey = try SealingKey(key: secret, generation: Array(String(number).utf8))
    }

    static func stored(in connection: Connection) throws -> Generation? {
        guard let text = try SettingRecords.value(numberName, in: connection),
            let number = Int64(String(decoding: text, as: UTF8.self)),
            let secret = try SettingRecords.value(secretName, in: connection)
        else { return nil }
        return try Generation(number: number, secret: secret)
    }

    /// The number of the newest generation that there has been, complete or not; 0 in a new sandbox.
    static func latestNumber(in connection: Connection) throws -> Int64 {
        try SettingRecords.value(numberName, in: connection).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Takes the stored generation's secret away, so that none is found until the next is stored. The number stays: it is
    /// never used twice.
    static func abandon(in connection: Connection) throws {
        try SettingRecords.remove(secretName, in: connection)
    }

    func store(in connection: Connection) throws {
        try SettingRecords.set(Self.numberName, to: Array(String(number).utf8), in: connection)
        try SettingRecords.set(Self.secretName, to: secret, in: connection)
    }
}
