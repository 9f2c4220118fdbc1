import SQLite
package import Tokens
import WireFormats

/// The keys that the sandbox's issuers sign with, as far as they have been needed.
///
/// A reset keeps the keys, which are slow to make, but gives them new names: a token of an earlier generation names a key that
/// nobody has.
struct SigningKeyRing: Sendable {
    private(set) var keys: [String: SigningKey] = [:]

    private static let prefix = "signing-key/"

    mutating func add(_ key: SigningKey, for provider: String) { keys[provider] = key }

    /// The provider's key, made and stored when it is needed for the first time. Runs on the writing thread, so that two
    /// callers cannot make two keys.
    static func key(
        for provider: String, algorithm: SignatureAlgorithm, generation: Int64, now: Timestamp, in connection: Connection
    ) throws -> SigningKey {
        let name = prefix + provider
        if let pem = try SettingRecords.value(name, in: connection) {
            return try SigningKey(pem: String(decoding: pem, as: UTF8.self), algorithm: algorithm, created: now)
                .named(generation: generation)
        }
        let key = try SigningKey.generate(algorithm: algorithm, created: now)
        try SettingRecords.set(name, to: Array(try key.pem.utf8), in: connection)
        return key.named(generation: generation)
    }
}

extension SigningKey {
    fileprivate func named(generation: Int64) -> SigningKey { named("\(keyID.prefix(22))-\(generation)") }
}

extension Cloud {
    /// The key that a provider signs with now.
    /// - Throws: an error of the database or of the key's making.
    package func signingKey(for provider: String, algorithm: SignatureAlgorithm = .rs256) async throws -> SigningKey {
        // RS256 is what every provider has.
        let provider = algorithm == .rs256 ? provider : "\(provider)/\(algorithm.rawValue)"
        if let key = withState({ $0.signingKeys.keys[provider] }) { return key }
        let (generation, now) = (generation, clock.now)
        let key = try await database.write { connection in
            try SigningKeyRing.key(for: provider, algorithm: algorithm, generation: generation, now: now, in: connection)
        }
        withState { state in
            if state.generation.number == generation { state.signingKeys.add(key, for: provider) }
        }
        return key
    }

    /// The keys that a provider publishes.
    package func publishedKeys(of provider: String) async throws -> [JSONWebKey] {
        [try await signingKey(for: provider).jsonWebKey]
    }

    /// The published key of this `kid`, if the provider has it.
    package func verificationKey(_ keyID: String, of provider: String) async throws -> VerificationKey? {
        let key = try await signingKey(for: provider)
        return key.keyID == keyID ? key.verificationKey : nil
    }
}
