import Cryptography
package import Directory
import NIOCore
package import ObjectStore
package import Policy
import SQLite
package import Seeds
import Synchronization
package import Tokens
import WireFormats

/// One sandbox: its database with object data, its directory, keys, clock and journal.
///
/// The process holds one by default. Nothing of a sandbox is global, so that any number can live side by side.
package final class Cloud: Sendable {
    /// The file with all state.
    package let database: Database
    /// The clock that all faces ask.
    package let clock: SandboxClock
    /// The latest requests and their decisions.
    package let journal: Journal
    /// The errors and delays on demand.
    package let faults = Faults()
    /// The codes, tokens and sessions of identity providers.
    package let grants: GrantStore
    /// Buckets and objects.
    package let objects: ObjectStore
    /// The devices that apps registered for notifications.
    package let mobileDevices: MobileDevices
    /// The analytics events that apps sent.
    package let mobileEvents: MobileEvents
    /// When access keys were last used.
    package let keyUses = KeyUses()
    /// Identifiers that count once, such as the `jti` of a client assertion.
    package let usedIdentifiers = UsedIdentifiers()
    /// How a bucket is made where its creator says nothing else.
    package let newBucketConfiguration: BucketConfiguration
    /// Whether identity providers elsewhere may be registered and asked over plain HTTP and at any port, which AWS does not take.
    package let takesIssuersOverHTTP: Bool
    private let seedLayers: Mutex<[Seed]>
    /// The dialect of the policies in seeds.
    package let seedDialect: PolicyDialect
    private let state: Mutex<State>
    /// Edits of the directory, and resets, follow one another.
    let edits = Turnstile()
    /// Changes of the clock follow one another.
    let clockChanges = Turnstile()

    /// What each write replaces and every request reads.
    struct State: Sendable {
        var directory: Directory
        var generation: Generation
        /// The keys of the issuers that have needed any.
        var signingKeys: [String: SigningKeyRing] = [:]
        /// Certificates of those keys, by `kid`, as far as they have been needed. No two issuers have a key in common.
        var certificates: [String: [UInt8]] = [:]

        init(directory: Directory = Directory(), generation: Generation) {
            self.directory = directory
            self.generation = generation
        }
    }

    /// Opens the sandbox that lies in a folder, or a temporary one that ``close()`` removes.
    ///
    /// - Parameters:
    ///   - folder: where its database is or will be; `nil` for an ephemeral sandbox.
    ///   - seeds: applied in order if the database is new, and by ``reset()``.
    ///   - newBuckets: how a bucket is made where its creator, a seed among them, says nothing else.
    ///   - seedDialect: of the policies in seeds that are put later.
    ///   - issuersOverHTTP: whether the issuers of identity providers elsewhere may be `http://` URLs, and have ports.
    /// - Throws: `StorageError`, or `SeedError` where a seed contradicts itself.
    package static func open(
        folder: String?, seeds: [Seed], newBuckets: BucketConfiguration = .modern, issuersOverHTTP: Bool = false,
        seedDialect: PolicyDialect = .aws
    ) async throws -> Cloud {
        try Seed.checkTogether(seeds)
        let database = try folder.map { try Database(folder: $0) } ?? Database()
        do {
            let cloud = try Cloud(
                database: database, seeds: seeds, newBuckets: newBuckets, issuersOverHTTP: issuersOverHTTP,
                seedDialect: seedDialect)
            try await cloud.load()
            return cloud
        } catch {
            await database.close()
            throw error
        }
    }

    private init(database: Database, seeds: [Seed], newBuckets: BucketConfiguration, issuersOverHTTP: Bool, seedDialect: PolicyDialect)
        throws
    {
        self.database = database
        seedLayers = Mutex(seeds)
        self.seedDialect = seedDialect
        newBucketConfiguration = newBuckets
        takesIssuersOverHTTP = issuersOverHTTP
        clock = SandboxClock(ages: try database.read(AgeRecords.all), moves: try database.read(MoveRecords.all))
        journal = Journal()
        grants = GrantStore(database: database, clock: clock)
        objects = try ObjectStore(database: database)
        mobileDevices = MobileDevices(database: database)
        mobileEvents = MobileEvents(database: database)
        state = Mutex(State(generation: try Generation(number: 0)))
    }

    /// Removes the files of an ephemeral sandbox at once, for a process that ends now without closing it.
    package func abandon() { database.abandon() }

    private var seeds: [Seed] { seedLayers.withLock { $0 } }

    /// The URL behind each ARN that buckets tell of their events, as the seeds have it; a later seed's goes before.
    package var eventTargets: [String: String] {
        seeds.reduce(into: [:]) { targets, seed in targets.merge(seed.eventTargets) { $1 } }
    }

    /// Whether S3 compares regions, from the last seed with the key `regions`; nil if no seed has it.
    package var regionRule: RegionRule? { seeds.lazy.compactMap(\.regions).last }

    /// The directory as it stands.
    package var directory: Directory { state.withLock { $0.directory } }

    /// Counts resets, from 1. What was issued in an earlier generation is unknown.
    package var generation: Int64 { state.withLock { $0.generation.number } }

    /// The key that seals this generation's session tokens.
    package var sealingKey: SealingKey { state.withLock { $0.generation.sealingKey } }

    /// Whether the data of the folder was there before and comes from other seeds than those of this process, which a reset applies.
    /// False for data that does not say which seeds it comes from.
    /// - Throws: `StorageError`.
    package func isFilledFromOtherSeeds() throws -> Bool {
        let stored = try database.read { try SettingRecords.value(Self.seedsName, in: $0) }
        return stored.map { $0 != Self.digest(of: seeds) } ?? false
    }

    private static let seedsName = "seeds"

    private static func digest(of seeds: [Seed]) -> [UInt8] { SHA256.hash(seeds.flatMap(\.digest)) }

    func withState<T: Sendable>(_ body: (inout State) -> T) -> T { state.withLock { body(&$0) } }

    private func load() async throws {
        guard let generation = try database.read(Generation.stored) else {
            return try await startGeneration(number: try database.read(Generation.latestNumber) + 1)
        }
        let records = try database.read(DirectoryRecords.all)
        grants.sealed.start(key: generation.sealingKey, marks: try database.read(RevocationRecords.all))
        state.withLock { state in
            state.generation = generation
            state.directory = records.reduce(into: Directory()) { $0.insert($1) }
        }
    }

    /// Empties the sandbox and applies its seeds again. What was issued before is unknown afterwards: sessions, tokens and
    /// keys of the earlier generation are refused. Resets that come together follow one another.
    package func reset() async throws {
        try await edits.pass {
            try await startGeneration(number: generation + 1)
            journal.removeAll()
            faults.removeAll()
        }
    }

    /// Empties the sandbox and fills it from other seeds, which later resets apply as well.
    /// - Throws: `SeedError` where a seed contradicts itself; nothing is changed then.
    package func reset(to seeds: [Seed]) async throws {
        try Seed.checkTogether(seeds)
        try await edits.pass {
            self.seedLayers.withLock { $0 = seeds }
            try await startGeneration(number: generation + 1)
            journal.removeAll()
            faults.removeAll()
        }
    }

    /// Starts a generation: the seeds' buckets and records, fresh keys, and nothing else.
    ///
    /// The record of the generation is taken away first and written last, so that a sandbox whose start or reset was cut
    /// short starts anew when it is opened again. What lives in memory changes with the commit, in the order of the commits.
    private func startGeneration(number: Int64) async throws {
        // The clock returns to the wall clock first: it stamps what the seeds make.
        try await clockChanges.pass {
            try await database.write { connection in
                try Generation.abandon(in: connection)
                try connection.run(AgeStatement.deleteAll.rawValue)
                try MoveRecords.replace([], in: connection)
            } committed: { _ in
                self.clock.replace(ages: [], moves: [])
            }
        }
        try await objects.reset()
        let seeds = seeds
        for bucket in seeds.flatMap({ $0.buckets(newBucketConfiguration) }) { try await create(bucket) }
        let generation = try Generation(number: number)
        let records = Seed.records(of: seeds, created: Timestamp(seconds: clock.now.seconds))
        let directory = records.reduce(into: Directory()) { $0.insert($1) }
        try await database.write { connection in
            try connection.run(DirectoryStatement.deleteAll.rawValue)
            try connection.run(GrantStatement.deleteAll.rawValue)
            try connection.run(RevocationStatement.deleteAll.rawValue)
            try MobileCloudTables.empty(in: connection)
            for record in records { try DirectoryRecords.write(record, into: connection) }
            try SettingRecords.set(Self.seedsName, to: Self.digest(of: seeds), in: connection)
            try generation.store(in: connection)
        } committed: { _ in
            self.keyUses.forget()
            self.grants.sealed.start(key: generation.sealingKey, marks: [:])
            self.state.withLock { $0 = State(directory: directory, generation: generation) }
        }
    }

    private func create(_ seeded: SeededBucket) async throws {
        let bucket = try await objects.createBucket(
            named: seeded.name, account: seeded.account, region: seeded.region, created: clock.now, configuration: seeded.configuration)
        let isForOSS = bucket.shown(by: .alibaba) != nil
        for object in seeded.objects {
            let body = objects.stage(expecting: Int64(object.body.count))
            try await body.append(ByteBuffer(bytes: object.body))
            let attributes = ObjectAttributes(contentType: object.contentType, metadata: object.metadata)
            _ = try await objects.put(
                NewObject(
                    key: object.key, attributes: attributes, md5: MD5.hash(object.body),
                    checksums: isForOSS ? [Checksum(crc64xzOf: object.body)] : [], owner: seeded.account, modified: clock.now),
                in: bucket.id, body: body)
        }
    }

    /// Finishes what is being written and closes the database; an ephemeral sandbox is gone afterwards.
    package func close() async {
        // Nobody waits for it any more, and a sandbox that cannot be written to has said so before.
        try? await keepKeyUses()
        await database.close()
    }
}
