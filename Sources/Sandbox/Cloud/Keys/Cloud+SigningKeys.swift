import ObjectStore
package import Tokens
import WireFormats

// Each issuer is identified by the name of its key ring: an identity provider by its name, an account's outbound issuer by `keyName`.
extension Cloud {
    /// Returns the key that an issuer signs with now. It is created when it is first needed.
    /// - Throws: an error of the database or of the key generation.
    package func signingKey(for issuer: String, algorithm: SignatureAlgorithm = .rs256) async throws -> SigningKey {
        try await currentKey(of: issuer, algorithm, signs: true)
    }

    /// Returns the key that an issuer signs with now.
    /// - Parameter signs: whether the caller signs with it. Otherwise, the present epoch can remain unused.
    private func currentKey(of issuer: String, _ algorithm: SignatureAlgorithm, signs: Bool) async throws -> SigningKey {
        let known = withState { state in
            let key = state.signingKeys[issuer]?.current(algorithm)
            if signs, key != nil { state.generation.epoch.use.note() }
            return key
        }
        if let known { return known }
        let ring = try await addKeys(to: issuer, signs: signs) { ring, new, generation, now in
            try ring.makeCurrent(algorithm, of: &new, generation: generation, now: now)
        }
        guard let key = ring.current(algorithm) else { preconditionFailure("a key was made") }
        return key
    }

    /// Returns the current keys of an issuer, with those that sign first.
    package func keys(of issuer: String) async throws -> [IssuerKey] { try await ring(of: issuer).published(by: clock) }

    /// Returns the keys that an issuer publishes.
    /// - Parameter algorithms: the algorithms that the issuer can sign with. Their keys are created if needed, so that relying parties that
    ///   cache the set have them before they are used. Keys of the first algorithm come first.
    package func publishedKeys(
        of issuer: String, algorithms: [SignatureAlgorithm] = [.rs256]
    ) async throws -> [IssuerKey] {
        for algorithm in algorithms { _ = try await currentKey(of: issuer, algorithm, signs: false) }
        let ring = try await ring(of: issuer)
        let keys = ring.published(by: clock)
        return keys.filter { $0.key.algorithm == algorithms.first } + keys.filter { $0.key.algorithm != algorithms.first }
            + ring.published(by: clock, inEarlierEpochsOf: generationOfKeys)
    }

    /// Returns the key with a `kid`, if the issuer has it.
    package func verificationKey(_ keyID: String, of issuer: String) async throws -> VerificationKey? {
        let epochs = generationOfKeys.epochs
        let key = try await ring(of: issuer).keys.first { $0.key.isNamed(keyID, in: epochs) }
        guard let key, !key.isAbsent(by: clock) else { return nil }
        return key.key.verificationKey
    }

    /// Replaces the keys that an issuer signs with. Signatures of the old keys are valid as long as these are published.
    /// - Parameters:
    ///   - algorithms: the algorithms whose keys are replaced; empty for those that the issuer has keys of.
    ///   - overlap: how long the replaced keys remain published.
    package func rotateKeys(of issuer: String, algorithms: Set<SignatureAlgorithm> = [], overlap: Duration) async throws -> [IssuerKey] {
        let ring = try await addKeys(to: issuer) { ring, new, generation, now in
            for algorithm in Self.meant(algorithms, in: ring) {
                try ring.rotate(algorithm, of: &new, overlap: overlap, generation: generation, now: now)
            }
        }
        return ring.published(by: clock)
    }

    /// Publishes the keys that will sign after the next rotation.
    package func publishNextKeys(of issuer: String, algorithms: Set<SignatureAlgorithm> = []) async throws -> [IssuerKey] {
        let ring = try await addKeys(to: issuer) { ring, new, generation, now in
            for algorithm in Self.meant(algorithms, in: ring) { try ring.makeNext(algorithm, of: &new, generation: generation, now: now) }
        }
        return ring.published(by: clock)
    }

    /// The epoch that signs and seals now.
    package var epochID: String { withState { $0.generation.epoch.id } }

    /// Returns whether an epoch is one of this sandbox: its own, or one of the sandboxes that it was copied from, before the copy.
    package func hasEpoch(_ id: some StringProtocol) -> Bool {
        withState { $0.generation.epochs.contains { $0.id == id } }
    }

    /// Returns whether a `kid` is the name of a key in one of this sandbox's epochs.
    /// - Parameter thumbprints: the thumbprints that the key can have.
    package func isName(_ keyID: String, ofKeyWithOneOf thumbprints: Set<String>) -> Bool {
        let epochs = generationOfKeys.epochs
        return thumbprints.contains { SigningKey.isName(keyID, ofKeyWith: $0, in: epochs) }
    }

    private var generationOfKeys: Generation { withState(\.generation) }

    private static func meant(_ algorithms: Set<SignatureAlgorithm>, in ring: SigningKeyRing) -> Set<SignatureAlgorithm> {
        guard algorithms.isEmpty else { return algorithms }
        let present = ring.keys.filter { $0.stage != .spare }
        return present.isEmpty ? [.rs256] : Set(present.map(\.key.algorithm))
    }

    private func ring(of issuer: String) async throws -> SigningKeyRing {
        if let ring = withState({ $0.signingKeys[issuer] }) { return ring }
        return try await changeKeys(of: issuer) { _, _, _ in }
    }

    /// Performs a change of an issuer's keys that can need new ones. RSA keys are made before it, one change of the sandbox after another,
    /// so that concurrent callers do not make two keys for one.
    private func addKeys(
        to issuer: String, signs: Bool = false,
        _ change:
            @escaping @Sendable (inout SigningKeyRing, _ new: inout NewKeys, _ generation: Generation, _ now: Timestamp) throws -> Void
    ) async throws -> SigningKeyRing {
        try await keyChanges.pass {
            var keys = NewKeys()
            while true {
                do {
                    return try await changeKeys(of: issuer, signs: signs) { [keys] ring, generation, now in
                        var new = keys
                        try change(&ring, &new, generation, now)
                    }
                } catch let missing as NewKeys.Missing {
                    keys.add(
                        try await keySupply.key(missing.algorithm, of: issuer, isFirst: missing.isFirst, created: clock.now))
                }
            }
        }
    }

    /// Returns whether one of some thumbprints is that of a key which this sandbox has, had, or shares with the others of its template, or which
    /// a sandbox had of which this one is a copy.
    package func hasKey(thumbprints: Set<String>) async throws -> Bool {
        // It signs with the keys of its template as soon as it needs them. It knows them also when the template is gone after a restart.
        let shared = keySupply.template?.thumbprints ?? []
        if let known = withState(\.knownKeys), shared.allSatisfy(known.contains) { return thumbprints.contains(where: known.contains) }
        let known = try await database.write { connection in
            try KnownKeys.add(shared, in: connection)
        } committed: { [self] known in
            withState { $0.knownKeys = known }
        }
        return thumbprints.contains(where: known.contains)
    }

    /// Begins to make keys in the background, if none were made yet: a request has arrived after which the sandbox will probably sign.
    package func expectSignatures() {
        if !keySupply.stock.isPrepared { keySupply.stock.prepare() }
    }

    /// Changes an issuer's keys on the writing thread, so that concurrent callers cannot create two keys and memory follows the commits.
    private func changeKeys(
        of issuer: String, signs: Bool = false,
        _ change: @escaping @Sendable (inout SigningKeyRing, _ generation: Generation, _ now: Timestamp) throws -> Void
    ) async throws -> SigningKeyRing {
        let clock = clock
        let (ring, _, _) = try await database.write { [self] connection -> (SigningKeyRing, Generation, KnownKeys?) in
            // During a reset there is no complete generation in the file; the one in memory is about to end.
            let generation = try Generation.stored(in: connection) ?? generationOfKeys
            var ring = try SigningKeyRing.stored(of: issuer, generation: generation, in: connection)
            try change(&ring, generation, clock.now)
            guard !ring.keys.isEmpty else { return (ring, generation, nil) }
            let known = try KnownKeys.add(ring.keys.map(\.key.keyID), in: connection)
            ring.sweep(by: clock)
            if !ring.keys.isEmpty { try ring.store(of: issuer, generation: generation, in: connection) }
            return (ring, generation, known)
        } committed: { [self] ring, generation, known in
            withState { state in
                if let known { state.knownKeys = known }
                if state.generation.number == generation.number, state.generation.epoch == generation.epoch {
                    state.signingKeys[issuer] = ring
                    if signs { state.generation.epoch.use.note() }
                }
            }
        }
        return ring
    }
}
