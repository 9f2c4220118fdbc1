package import Tokens
package import WireFormats

/// One of the keys of an issuer, and how far its life has come.
package struct IssuerKey: Sendable {
    /// What a key is used for.
    package enum Stage: Sendable, Equatable {
        /// Published ahead of its use, so that relying parties have it by the time it signs.
        case next
        /// Signs what the issuer issues.
        case current
        /// Was replaced; published until it leaves, for the tokens that are still out.
        case retired(at: Timestamp, leaves: Timestamp)
        /// Signed before a reset, and signs again when one of its algorithm is needed: RSA keys are slow to make. Unknown until then.
        case spare
    }

    /// The key pair.
    package let key: SigningKey
    /// What the key is used for now.
    package internal(set) var stage: Stage

    /// Whether the issuer does not have the key, as far as anybody can tell: what it signed is refused.
    func isAbsent(by clock: SandboxClock) -> Bool {
        switch stage {
        case .current, .next: false
        case .retired(let retired, let leaves): clock.hasExpired(leaves, issuedAt: retired)
        case .spare: true
        }
    }
}

extension IssuerKey {
    /// What is stored of a key: its PEM, and the stage with the generation in which it came to it.
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

    /// Reads a record back, under the name that the key has in this generation. Nothing for a key that a reset has ended: of an earlier
    /// generation there are only those that signed.
    init?(_ record: JSONValue, generation: Int64) throws {
        guard let algorithm = record["algorithm"]?.stringValue.flatMap(SignatureAlgorithm.init(rawValue:)),
            let created = record["created"]?.integerValue, let pem = record["pem"]?.stringValue
        else { return nil }
        let isOfThisGeneration = record["generation"]?.integerValue == generation
        switch record["stage"] {
        case "current": stage = isOfThisGeneration ? .current : .spare
        case "spare": stage = .spare
        case "next" where isOfThisGeneration: stage = .next
        case "retired" where isOfThisGeneration:
            guard let retired = record["retired"]?.integerValue, let leaves = record["leaves"]?.integerValue else { return nil }
            stage = .retired(at: Timestamp(milliseconds: retired), leaves: Timestamp(milliseconds: leaves))
        default: return nil
        }
        key = try SigningKey(pem: pem, algorithm: algorithm, created: Timestamp(milliseconds: created)).named(generation: generation)
    }
}

extension SigningKey {
    /// The same key under its name in a generation: a token of an earlier one names a key that nobody has.
    func named(generation: Int64) -> SigningKey { named("\(keyID.prefix(22))-\(generation)") }
}
