package import Tokens
package import WireFormats

/// A key of an issuer, with its stage.
package struct IssuerKey: Sendable {
    /// The stages of a key.
    package enum Stage: Sendable, Equatable {
        /// Published before its use, so that relying parties have it when it signs.
        case next
        /// Signs the tokens and assertions of the issuer.
        case current
        /// Replaced, but published until it leaves, so that existing tokens can be verified.
        case retired(at: Timestamp, leaves: Timestamp)
        /// Signed before a reset. It is not published, and signs again when a key of its algorithm is needed, because RSA keys are slow to
        /// create.
        case spare
    }

    /// The key pair.
    package let key: SigningKey
    /// The current stage of the key.
    package internal(set) var stage: Stage

    /// Returns whether the key is not published now, so that its signatures are rejected.
    func isAbsent(by clock: SandboxClock) -> Bool {
        switch stage {
        case .current, .next: false
        case .retired(let retired, let leaves): clock.hasExpired(leaves, issuedAt: retired)
        case .spare: true
        }
    }
}

extension IssuerKey {
    /// Returns the stored form of a key: its PEM, its stage, and the generation in which it reached the stage.
    func record(generation: Int64) throws -> JSONValue {
        var record: JSONObject = [
            "algorithm": .string(key.algorithm.rawValue), "created": .integer(key.created.milliseconds), "pem": .string(try key.pem),
            "generation": .integer(generation),
        ]
        switch stage {
        case .current: record["stage"] = "current"
        case .next: record["stage"] = "next"
        case .retired(let retired, let leaves):
            record["stage"] = "retired"
            record["retired"] = .integer(retired.milliseconds)
            record["leaves"] = .integer(leaves.milliseconds)
        case .spare: record["stage"] = "spare"
        }
        return .object(record)
    }

    /// Reads a stored key, and names it for this generation; `nil` for a key that a reset removed. Of earlier generations, only the keys
    /// that signed are kept.
    init?(_ record: JSONValue, generation: Generation) throws {
        guard let key = try Self.key(record) else { return nil }
        let isOfThisGeneration = record["generation"]?.integerValue == generation.number
        switch record["stage"] {
        case "current": stage = isOfThisGeneration ? .current : .spare
        case "spare": stage = .spare
        case "next" where isOfThisGeneration: stage = .next
        case "retired" where isOfThisGeneration:
            guard let retired = record["retired"]?.integerValue, let leaves = record["leaves"]?.integerValue else { return nil }
            stage = .retired(at: Timestamp(stored: retired), leaves: Timestamp(stored: leaves))
        default: return nil
        }
        self.key = key.named(in: generation.epoch)
    }

    /// Reads the key of a record, in no epoch.
    static func key(_ record: JSONValue) throws -> SigningKey? {
        guard let algorithm = record["algorithm"]?.stringValue.flatMap(SignatureAlgorithm.init(rawValue:)),
            let created = record["created"]?.integerValue, let pem = record["pem"]?.stringValue
        else { return nil }
        return try SigningKey(pem: pem, algorithm: algorithm, created: Timestamp(stored: created))
    }
}

extension SigningKey {
    static let thumbprintLength = 22

    /// Returns the same key with the name of an epoch. Tokens of another sandbox's epoch name a key that does not exist here.
    func named(in epoch: Epoch) -> SigningKey { named("\(keyID.prefix(Self.thumbprintLength))-\(epoch.id)") }

    /// Returns whether a `kid` names this key in one of some epochs.
    func isNamed(_ keyID: String, in epochs: [Epoch]) -> Bool { Self.isName(keyID, ofKeyWith: self.keyID, in: epochs) }

    /// Returns whether a `kid` names this key in another epoch than the present one: that of another sandbox, or an earlier one.
    package func isNamedElsewhere(_ keyID: String) -> Bool {
        keyID != self.keyID && Self.isName(keyID, ofKeyWith: self.keyID)
    }

    /// Returns whether a `kid` names a key in an epoch of any sandbox.
    /// - Parameter thumbprint: the key's thumbprint, or a `kid` of the key, which begins with it.
    package static func isName(_ keyID: String, ofKeyWith thumbprint: String) -> Bool {
        keyID.utf8.starts(with: thumbprint.utf8.prefix(thumbprintLength))
    }

    /// Returns whether a `kid` names a key in one of some epochs.
    /// - Parameter thumbprint: the key's thumbprint, or a `kid` of the key, which begins with it.
    static func isName(_ keyID: String, ofKeyWith thumbprint: String, in epochs: [Epoch]) -> Bool {
        // Compares bytes, because each verification of a token needs it.
        let thumbprint = thumbprint.utf8.prefix(thumbprintLength)
        let rest = keyID.utf8.dropFirst(thumbprint.count)
        guard keyID.utf8.starts(with: thumbprint), rest.first == UInt8(ascii: "-") else { return false }
        let id = String(Substring(rest.dropFirst()))
        return epochs.contains { $0.id == id }
    }
}
