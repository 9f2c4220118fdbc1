import ObjectStore
package import Tokens
import WireFormats

// Issuers are known by the name of their ring: an identity provider by its own name, an account's outbound issuer by `keyName`.
extension Cloud {
    /// The key that an issuer signs with now; made when it is needed for the first time.
    /// - Throws: an error of the database or of the key's making.
    package func signingKey(for issuer: String, algorithm: SignatureAlgorithm = .rs256) async throws -> SigningKey {
        if let key = withState({ $0.signingKeys[issuer]?.current(algorithm) }) { return key }
        let ring = try await changeKeys(of: issuer) { ring, generation, now in
            try ring.makeCurrent(algorithm, generation: generation, now: now)
        }
        guard let key = ring.current(algorithm) else { preconditionFailure("a key was made") }
        return key
    }

    /// The keys that an issuer has now, those that sign first.
    package func keys(of issuer: String) async throws -> [IssuerKey] { try await ring(of: issuer).published(by: clock) }

    /// The keys that an issuer publishes.
    /// - Parameter algorithms: those that it is known to sign with, whether or not it has done so. Relying parties that keep the set
    ///   are then not surprised. Keys of the first come first.
    package func publishedKeys(
        of issuer: String, algorithms: [SignatureAlgorithm] = [.rs256]
    ) async throws -> [IssuerKey] {
        for algorithm in algorithms { _ = try await signingKey(for: issuer, algorithm: algorithm) }
        let keys = try await keys(of: issuer)
        return keys.filter { $0.key.algorithm == algorithms.first } + keys.filter { $0.key.algorithm != algorithms.first }
    }

    /// The key of this `kid`, if the issuer has it.
    package func verificationKey(_ keyID: String, of issuer: String) async throws -> VerificationKey? {
        let key = try await ring(of: issuer).keys.first { $0.key.keyID == keyID }
        guard let key, !key.isAbsent(by: clock) else { return nil }
        return key.key.verificationKey
    }

    /// Replaces the keys that an issuer signs with. What the old ones signed is good for as long as they stay.
    /// - Parameters:
    ///   - algorithms: of which keys; those that the issuer has, where empty.
    ///   - overlap: how long the replaced keys stay published.
    package func rotateKeys(of issuer: String, algorithms: Set<SignatureAlgorithm> = [], overlap: Duration) async throws -> [IssuerKey] {
        let ring = try await changeKeys(of: issuer) { ring, generation, now in
            for algorithm in Self.meant(algorithms, in: ring) {
                try ring.rotate(algorithm, overlap: overlap, generation: generation, now: now)
            }
        }
        return ring.published(by: clock)
    }

    /// Publishes the keys that the next rotation will sign with.
    package func publishNextKeys(of issuer: String, algorithms: Set<SignatureAlgorithm> = []) async throws -> [IssuerKey] {
        let ring = try await changeKeys(of: issuer) { ring, generation, now in
            for algorithm in Self.meant(algorithms, in: ring) { try ring.makeNext(algorithm, generation: generation, now: now) }
        }
        return ring.published(by: clock)
    }

    private static func meant(_ algorithms: Set<SignatureAlgorithm>, in ring: SigningKeyRing) -> Set<SignatureAlgorithm> {
        guard algorithms.isEmpty else { return algorithms }
        let present = ring.keys.filter { $0.stage != .spare }
        return present.isEmpty ? [.rs256] : Set(present.map(\.key.algorithm))
    }

    private func ring(of issuer: String) async throws -> SigningKeyRing {
        if let ring = withState({ $0.signingKeys[issuer] }) { return ring }
        return try await changeKeys(of: issuer) { _, _, _ in }
    }

    /// Changes an issuer's keys on the writing thread, so that two callers cannot make two keys, and memory follows the commits.
    private func changeKeys(
        of issuer: String, _ change: @escaping @Sendable (inout SigningKeyRing, _ generation: Int64, _ now: Timestamp) throws -> Void
    ) async throws -> SigningKeyRing {
        let clock = clock
        let (ring, _) = try await database.write { connection in
            let generation = try Generation.latestNumber(in: connection)
            var ring = try SigningKeyRing.stored(of: issuer, generation: generation, in: connection)
            try change(&ring, generation, clock.now)
            ring.sweep(by: clock)
            if !ring.keys.isEmpty { try ring.store(of: issuer, generation: generation, in: connection) }
            return (ring, generation)
        } committed: { [self] ring, generation in
            withState { state in
                if state.generation.number == generation { state.signingKeys[issuer] = ring }
            }
        }
        return ring
    }
}
