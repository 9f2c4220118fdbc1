import SQLite
import Tokens
import WireFormats

/// The keys of one issuer. For each algorithm, there is at most one that signs, at most one that is next, and those that are still
/// published.
///
/// A reset keeps the keys that sign, because RSA keys are slow to create, and renames them.
struct SigningKeyRing: Sendable {
    /// The keys, the newest first.
    private(set) var keys: [IssuerKey] = []
    /// Whether an earlier issuer of the name was removed with its keys. The keys of the template may have been among them, so none of those
    /// is added.
    private var hasPredecessor = false

    private static let predecessorMember = "predecessor"
    private static let prefix = "signing-keys/"

    func current(_ algorithm: SignatureAlgorithm) -> SigningKey? { find(.current, algorithm)?.key }

    private func find(_ stage: IssuerKey.Stage, _ algorithm: SignatureAlgorithm) -> IssuerKey? {
        keys.first { $0.stage == stage && $0.key.algorithm == algorithm }
    }

    /// Returns the keys to publish: for each algorithm, the key that signs, then the next one, then the retired ones, newest first.
    /// A client that uses the first matching key uses the right one.
    func published(by clock: SandboxClock) -> [IssuerKey] {
        let remaining = keys.filter { !$0.isAbsent(by: clock) }
        return SignatureAlgorithm.allCases.flatMap { algorithm in
            let own = remaining.filter { $0.key.algorithm == algorithm }
            return own.filter { $0.stage == .current } + own.filter { $0.stage == .next }
                + own.filter { $0.stage != .current && $0.stage != .next }
        }
    }

    /// Returns the keys to publish under the names that they had in earlier epochs, so that tokens of those can be verified.
    func published(by clock: SandboxClock, inEarlierEpochsOf generation: Generation) -> [IssuerKey] {
        let keys = published(by: clock)
        return generation.epochs.dropLast().reversed().flatMap { epoch in
            keys.map { IssuerKey(key: $0.key.named(in: epoch), stage: $0.stage) }
        }
    }

    /// Adds the key that signs with an algorithm, if there is none.
    /// - Parameter new: the keys that can be added.
    /// - Throws: `NewKeys.Missing` if one more is needed.
    mutating func makeCurrent(_ algorithm: SignatureAlgorithm, of new: inout NewKeys, generation: Generation, now: Timestamp) throws {
        guard current(algorithm) == nil else { return }
        if let spare = keys.firstIndex(where: { $0.stage == .spare && $0.key.algorithm == algorithm }) {
            keys[spare].stage = .current
        } else {
            try add(.current, algorithm, of: &new, generation, now)
        }
    }

    /// Adds the next key of an algorithm, if there is none yet.
    mutating func makeNext(_ algorithm: SignatureAlgorithm, of new: inout NewKeys, generation: Generation, now: Timestamp) throws {
        try makeCurrent(algorithm, of: &new, generation: generation, now: now)
        if find(.next, algorithm) == nil { try add(.next, algorithm, of: &new, generation, now) }
    }

    /// Makes the next key the current one, or adds one if there is none. The previous key leaves after the overlap.
    mutating func rotate(
        _ algorithm: SignatureAlgorithm, of new: inout NewKeys, overlap: Duration, generation: Generation, now: Timestamp
    ) throws {
        for index in keys.indices where keys[index].key.algorithm == algorithm {
            switch keys[index].stage {
            case .current: keys[index].stage = .retired(at: now, leaves: now + overlap)
            case .next: keys[index].stage = .current
            case .retired, .spare: break
            }
        }
        try makeCurrent(algorithm, of: &new, generation: generation, now: now)
    }

    /// Removes the keys that have left.
    mutating func sweep(by clock: SandboxClock) { keys.removeAll { $0.stage != .spare && $0.isAbsent(by: clock) } }

    private mutating func add(
        _ stage: IssuerKey.Stage, _ algorithm: SignatureAlgorithm, of new: inout NewKeys, _ generation: Generation, _ now: Timestamp
    ) throws {
        let isFirst = !hasPredecessor && !keys.contains { $0.key.algorithm == algorithm }
        let key = try new.take(algorithm, isFirst: isFirst, created: now).named(in: generation.epoch)
        keys.insert(IssuerKey(key: key, stage: stage), at: 0)
    }

    /// Returns an issuer's stored keys; none before the first one is needed.
    static func stored(of issuer: String, generation: Generation, in connection: Connection) throws -> SigningKeyRing {
        var ring = SigningKeyRing()
        guard let record = try SettingRecords.value(prefix + issuer, in: connection) else { return ring }
        let entries = try JSONValue(parsing: record).arrayValue ?? []
        ring.keys = try entries.compactMap { try IssuerKey($0, generation: generation) }
        ring.hasPredecessor = entries.contains { $0[predecessorMember] == true }
        return ring
    }

    /// Removes the keys of an issuer that is removed. The sandbox still knows them as its own.
    static func remove(of issuer: String, in connection: Connection) throws {
        guard try SettingRecords.value(prefix + issuer, in: connection) != nil else { return }
        // Every key was added when it was stored. A file of an earlier version gets its list here, while it still has the keys.
        _ = try KnownKeys.add([], in: connection)
        try SettingRecords.set(prefix + issuer, to: JSONValue.array([[predecessorMember: true]]).serializedBytes(), in: connection)
    }

    /// Returns the `kid` of each stored key of all issuers, in no epoch, also of those that left with a reset.
    static func allKeyIDs(in connection: Connection) throws -> [String] {
        // "0" follows "/".
        try SettingRecords.values(after: prefix, before: prefix.dropLast() + "0", in: connection).flatMap { record in
            try (JSONValue(parsing: record).arrayValue ?? []).compactMap { try IssuerKey.key($0)?.keyID }
        }
    }

    func store(of issuer: String, generation: Generation, in connection: Connection) throws {
        var records = try keys.map { try $0.record(generation: generation.number) }
        if hasPredecessor { records.append([Self.predecessorMember: true]) }
        try SettingRecords.set(Self.prefix + issuer, to: JSONValue.array(records).serializedBytes(), in: connection)
    }
}
