import SQLite
import Tokens
import WireFormats

/// The keys of one issuer, of each algorithm that it was asked for: at most one that signs, at most one that comes next, and those that
/// are still published.
///
/// A reset keeps the keys that sign, since RSA keys are slow to make, and gives them new names.
struct SigningKeyRing: Sendable {
    /// Newest first.
    private(set) var keys: [IssuerKey] = []

    private static let prefix = "signing-keys/"

    func current(_ algorithm: SignatureAlgorithm) -> SigningKey? { find(.current, algorithm)?.key }

    private func find(_ stage: IssuerKey.Stage, _ algorithm: SignatureAlgorithm) -> IssuerKey? {
        keys.first { $0.stage == stage && $0.key.algorithm == algorithm }
    }

    /// What relying parties are to know: for each algorithm the key that signs, then the one that will, then those that did, newest first.
    /// A client that takes the first key that fits takes the right one.
    func published(by clock: SandboxClock) -> [IssuerKey] {
        let remaining = keys.filter { !$0.isAbsent(by: clock) }
        return SignatureAlgorithm.allCases.flatMap { algorithm in
            let own = remaining.filter { $0.key.algorithm == algorithm }
            return own.filter { $0.stage == .current } + own.filter { $0.stage == .next }
                + own.filter { $0.stage != .current && $0.stage != .next }
        }
    }

    /// Makes the key that signs with an algorithm, if there is none.
    mutating func makeCurrent(_ algorithm: SignatureAlgorithm, generation: Int64, now: Timestamp) throws {
        guard current(algorithm) == nil else { return }
        if let spare = keys.firstIndex(where: { $0.stage == .spare && $0.key.algorithm == algorithm }) {
            keys[spare].stage = .current
        } else {
            try add(.current, algorithm, generation, now)
        }
    }

    /// Makes the key that will sign with an algorithm, if there is none yet.
    mutating func makeNext(_ algorithm: SignatureAlgorithm, generation: Int64, now: Timestamp) throws {
        try makeCurrent(algorithm, generation: generation, now: now)
        if find(.next, algorithm) == nil { try add(.next, algorithm, generation, now) }
    }

    /// Has the next key sign, or one that is made for it; the one before leaves after the overlap.
    mutating func rotate(_ algorithm: SignatureAlgorithm, overlap: Duration, generation: Int64, now: Timestamp) throws {
        for index in keys.indices where keys[index].key.algorithm == algorithm {
            switch keys[index].stage {
            case .current: keys[index].stage = .retired(at: now, leaves: now + overlap)
            case .next: keys[index].stage = .current
            case .retired, .spare: break
            }
        }
        try makeCurrent(algorithm, generation: generation, now: now)
    }

    /// Forgets the keys that have left.
    mutating func sweep(by clock: SandboxClock) { keys.removeAll { $0.stage != .spare && $0.isAbsent(by: clock) } }

    private mutating func add(
        _ stage: IssuerKey.Stage, _ algorithm: SignatureAlgorithm, _ generation: Int64, _ now: Timestamp
    ) throws {
        let key = try SigningKey.generate(algorithm: algorithm, created: now).named(generation: generation)
        keys.insert(IssuerKey(key: key, stage: stage), at: 0)
    }

    /// An issuer's keys as they are stored; none before the first is needed.
    static func stored(of issuer: String, generation: Int64, in connection: Connection) throws -> SigningKeyRing {
        var ring = SigningKeyRing()
        guard let record = try SettingRecords.value(prefix + issuer, in: connection) else { return ring }
        ring.keys = try JSONValue(parsing: record).arrayValue?.compactMap { try IssuerKey($0, generation: generation) } ?? []
        return ring
    }

    func store(of issuer: String, generation: Int64, in connection: Connection) throws {
        let records = try keys.map { try $0.record(generation: generation) }
        try SettingRecords.set(Self.prefix + issuer, to: JSONValue.array(records).serializedBytes(), in: connection)
    }
}
