import Cryptography
import Tokens
import WireFormats

/// A period in which a sandbox seals and signs under one secret.
///
/// A snapshot keeps the epochs of its sandbox. The sandbox itself, and every copy of the snapshot, then begins an epoch of its own. So what
/// was issued before the snapshot is good in all of them, and what was issued afterwards is good in one.
struct Epoch: Sendable, Equatable {
    /// Eight hexadecimal digits. It ends the `kid` of each signing key and begins the ID of each assertion.
    let id: String
    /// What the sealing key is made of; 32 bytes.
    let secret: [UInt8]
    /// Whether anything was issued in the epoch. One that was read from the database counts as used.
    let use: KeyUse

    /// Creates an epoch with a new secret.
    /// - Throws: `CryptographyError.noEntropy`.
    init() throws {
        id = try randomBytes(4).hex
        secret = try randomBytes(32)
        use = KeyUse()
    }

    init(id: String, secret: [UInt8]) {
        (self.id, self.secret) = (id, secret)
        use = KeyUse(isUsed: true)
    }

    static func == (left: Epoch, right: Epoch) -> Bool { left.id == right.id && left.secret == right.secret }

    init?(_ record: JSONValue) {
        guard let id = record["id"]?.stringValue, let secret = record["secret"]?.stringValue.flatMap({ [UInt8](base64: $0) }) else {
            return nil
        }
        self.init(id: id, secret: secret)
    }

    /// Whether a sandbox can have made the epoch. Before there were several epochs, the ID was the number of the generation.
    var isPossible: Bool {
        (1...16).contains(id.utf8.count) && id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 } && secret.count == 32
    }

    var record: JSONValue { ["id": .string(id), "secret": .string(secret.base64)] }
}
