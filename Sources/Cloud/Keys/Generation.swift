import Cryptography
import SQLite
import Tokens
import WireFormats

/// A generation of the sandbox, which ends with a reset.
struct Generation: Sendable {
    /// The number of the generation, from 1.
    let number: Int64
    /// The key that seals session tokens.
    let sealingKey: SealingKey
    /// The secret that the sealing key is derived from; 32 bytes.
    private let secret: [UInt8]

    private static let numberName = "generation"
    private static let secretName = "session-secret"

    /// Creates a generation with a new secret.
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

    /// Returns the number of the newest generation, complete or not; 0 in a new sandbox.
    static func latestNumber(in connection: Connection) throws -> Int64 {
        try SettingRecords.value(numberName, in: connection).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Deletes the secret of the stored generation, so that none is found until the next is stored. The number is kept, because it is
    /// never reused.
    static func abandon(in connection: Connection) throws {
        try SettingRecords.remove(secretName, in: connection)
    }

    func store(in connection: Connection) throws {
        try SettingRecords.set(Self.numberName, to: Array(String(number).utf8), in: connection)
        try SettingRecords.set(Self.secretName, to: secret, in: connection)
    }
}
