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
/// The process has one by default. Nothing in a sandbox is global, so any number can exist side by side.
package final class Cloud: Sendable {
    /// The database with all state.
    package let database: Database
    /// The clock that all faces use.
    package let clock: SandboxClock
    /// The recent requests and their decisions.
    package let journal: Journal
    /// The distinct requests that policies decided, if they are recorded.
    package let usage = Usage()
    /// The rules for errors and delays on demand.
    package let faults = Faults()
    /// The codes, tokens and sessions of identity providers.
    package let grants: GrantStore
    /// Buckets and objects.
    package let objects: ObjectStore
    /// The devices that apps registered for notifications.
    package let mobileDevices: MobileDevices
    /// The analytics events that apps sent.
    package let mobileEvents: MobileEvents
    /// The last uses of access keys.
    package let keyUses = KeyUses()
    /// Identifiers that are accepted once, such as the `jti` of a client assertion.
    package let usedIdentifiers = UsedIdentifiers()
    /// The configuration of new buckets for settings that the creator does not specify.
    package let newBucketConfiguration: BucketConfiguration
    /// Whether external identity providers can use plain HTTP and any port, which AWS does not accept.
    package let takesIssuersOverHTTP: Bool
    /// Where new keys come from.
    let keySupply: KeySupply
    private let seedLayers: Mutex<[Seed]>
    private let ownRootKeys: Mutex<[String: AccessKey]>
    /// The dialect of the policies in seeds.
    package let seedDialect: PolicyDialect
    private let state: Mutex<State>
    /// Serializes edits of the directory and resets.
    let edits = Turnstile()
    /// Serializes changes of the clock.
    let clockChanges = Turnstile()
    /// Serializes what can add signing keys.
    let keyChanges = Turnstile()

    /// The state that every request reads and each write replaces.
    struct State: Sendable {
        var directory: Directory
        var generation: Generation
        /// The signing keys, by issuer. An issuer without an entry has not needed a key yet.
        var signingKeys: [String: SigningKeyRing] = [:]
        /// Certificates of those keys in DER, by `kid`, created on demand. No two issuers share a key.
        var certificates: [String: [UInt8]] = [:]
        /// The signing keys that the sandbox ever had; `nil` if they were not read yet.
        var knownKeys: KnownKeys?

        init(directory: Directory = Directory(), generation: Generation) {
            self.directory = directory
            self.generation = generation
        }
    }

    /// What a sandbox is opened with.
    package struct Options: Sendable {
        /// The seeds. They are applied in order if the database is new, and by ``reset()``.
        package var seeds: [Seed]
        /// The configuration of new buckets for settings that the creator or the seed does not specify.
        package var newBuckets = BucketConfiguration.modern
        /// Whether the issuers of external identity providers can be `http://` URLs and have ports.
        package var issuersOverHTTP = false
        /// The dialect of the policies in seeds that are applied later.
        package var seedDialect = PolicyDialect.aws
        /// The number of bytes that the journal keeps.
        package var journalCapacity = 8 << 20
        /// Where new keys come from.
        package var keySupply = KeySupply()
        /// The root access keys that accounts have instead of those in seeds, by account ID.
        package var rootKeys: [String: AccessKey] = [:]

        /// - Parameter seeds: the seeds, in order.
        package init(seeds: [Seed]) { self.seeds = seeds }
    }

    /// Opens the sandbox in a folder, or an ephemeral one that ``close()`` removes.
    ///
    /// - Parameters:
    ///   - folder: the folder of the database, which is created if needed; `nil` for an ephemeral sandbox.
    /// - Throws: `StorageError`, or `SeedError` if a seed is invalid.
    package static func open(
        folder: String?, seeds: [Seed], newBuckets: BucketConfiguration = .modern, issuersOverHTTP: Bool = false,
        seedDialect: PolicyDialect = .aws
    ) async throws -> Cloud {
        var options = Options(seeds: seeds)
        (options.newBuckets, options.issuersOverHTTP, options.seedDialect) = (newBuckets, issuersOverHTTP, seedDialect)
        try Seed.checkTogether(seeds)
        return try await open(try folder.map { try Database(folder: $0) } ?? Database(), options)
    }

    /// Opens the sandbox of a database, which it owns from now on.
    /// - Parameter isCopy: whether the database is a copy of a snapshot. Then an epoch begins, so that what the sandbox issues is good in no
    ///   other copy.
    /// - Parameter directory: the directory in the database, if it is known already. Decoding it is the largest part of the work.
    /// - Throws: `StorageError`, or `SeedError` if a seed is invalid; the database is closed then.
    package static func open(
        _ database: Database, _ options: Options, isCopy: Bool = false, directory: Directory? = nil
    ) async throws -> Cloud {
        do {
            let cloud = try Cloud(database: database, options)
            try await cloud.load(directory)
            if isCopy { try await cloud.beginEpoch() }
            return cloud
        } catch {
            await database.close()
            throw error
        }
    }

    private init(database: Database, _ options: Options) throws {
        self.database = database
        seedLayers = Mutex(options.seeds)
        seedDialect = options.seedDialect
        newBucketConfiguration = options.newBuckets
        takesIssuersOverHTTP = options.issuersOverHTTP
        keySupply = options.keySupply
        ownRootKeys = Mutex(options.rootKeys)
        clock = SandboxClock(ages: try database.read(AgeRecords.all), moves: try database.read(MoveRecords.all))
        journal = Journal(capacity: options.journalCapacity)
        grants = GrantStore(database: database, clock: clock)
        objects = try ObjectStore(database: database)
        mobileDevices = MobileDevices(database: database)
        mobileEvents = MobileEvents(database: database)
        state = Mutex(State(generation: try Generation(number: 0)))
    }

    /// Removes the files of an ephemeral sandbox at once, for a process that exits without closing it.
    package func abandon() { database.abandon() }

    /// The seeds that ``reset()`` applies.
    package var seeds: [Seed] { seedLayers.withLock { $0 } }

    /// The URLs that receive bucket events, by the ARN of the target. Later seeds take precedence.
    package var eventTargets: [String: String] {
        seeds.reduce(into: [:]) { targets, seed in targets.merge(seed.eventTargets) { $1 } }
    }

    /// Whether S3 compares regions, from the last seed with the key `regions`; `nil` if no seed has it.
    package var regionRule: RegionRule? { seeds.lazy.compactMap(\.regions).last }

    /// The current directory.
    package var directory: Directory { state.withLock { $0.directory } }

    /// The number of the generation, which each reset increments, from 1. Credentials and tokens of earlier generations are rejected.
    package var generation: Int64 { state.withLock { $0.generation.number } }

    /// The ID of the epoch, which each reset and each snapshot changes. The issuers of the sandbox then sign with keys of other names.
    package var epoch: String { state.withLock { $0.generation.epoch.id } }

    /// The key that seals this generation's session tokens.
    package var sealingKey: SealingKey { state.withLock { $0.generation.sealingKey } }

    /// Returns 32 bytes that follow from a text and that only the sandbox can compute. They change with a reset.
    package func secretDigest(of text: String) -> [UInt8] {
        let secret = state.withLock { ($0.generation.epochs.first ?? $0.generation.epoch).secret }
        return hmacSHA256(key: hmacSHA256(key: secret, "secret digest"), text)
    }

    /// Returns whether the folder had data that was created from other seeds than those of this process. Only a reset applies the new
    /// seeds.
    /// Returns false if the data does not record its seeds.
    /// - Throws: `StorageError`.
    package func isFilledFromOtherSeeds() throws -> Bool {
        let stored = try database.read { try SettingRecords.value(Self.seedsName, in: $0) }
        return stored.map { $0 != Self.digest(of: seeds) } ?? false
    }

    private static let seedsName = "seeds"

    private static func digest(of seeds: [Seed]) -> [UInt8] { SHA256.hash(seeds.flatMap(\.digest)) }

    func withState<T: Sendable>(_ body: (inout State) -> T) -> T { state.withLock { body(&$0) } }

    private func load(_ known: Directory?) async throws {
        guard let generation = try database.read(Generation.stored) else {
            return try await startGeneration(number: try database.read(Generation.latestNumber) + 1)
        }
        let directory = try known?.forCopy ?? database.read(DirectoryRecords.all).reduce(into: Directory()) { $0.insert($1) }
        let marks = try database.read(RevocationRecords.all)
        state.withLock { state in
            grants.sealed.start(generation, marks: marks)
            state.generation = generation
            state.directory = directory
        }
    }

    /// Empties the sandbox and applies its seeds again. Sessions, tokens and keys of earlier generations are rejected afterwards.
    /// Concurrent resets run one after another.
    package func reset() async throws {
        try await edits.pass {
            try await startGeneration(number: generation + 1)
            journal.removeAll()
            faults.removeAll()
        }
    }

    /// Empties the sandbox and applies other seeds, which later resets apply as well.
    /// - Throws: `SeedError` if a seed is invalid; then nothing changes.
    package func reset(to seeds: [Seed]) async throws {
        try Seed.checkTogether(seeds)
        try await edits.pass {
            self.seedLayers.withLock { $0 = seeds }
            try await startGeneration(number: generation + 1)
            journal.removeAll()
            faults.removeAll()
        }
    }

    /// Gives accounts other root access keys, which they keep when seeds are applied.
    /// - Parameter keys: the keys by account ID. Accounts without root keys get none.
    /// - Throws: `StorageError`.
    package func replaceRootKeys(_ keys: [String: AccessKey]) async throws {
        ownRootKeys.withLock { $0 = keys }
        try await edit { directory in
            for account in directory.accounts.values where keys[account.id] != nil && !account.rootKeys.isEmpty {
                directory.put(.account(account.withRootKey(of: keys)))
            }
        }
    }

    /// Starts a generation, which contains only the seeds' buckets and records, and new keys.
    ///
    /// The record of the generation is deleted first and written last. If the process stops in between, the next start begins again.
    /// State in memory changes with each commit, in the order of the commits.
    private func startGeneration(number: Int64) async throws {
        // The clock returns to real time first, because it provides the creation times of the seeds' records.
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
        var filled = Directory()
        let rootKeys = ownRootKeys.withLock { $0 }
        for record in Seed.records(of: seeds, created: Timestamp(seconds: clock.now.seconds)) {
            if case .account(let account) = record { filled.put(.account(account.withRootKey(of: rootKeys))) } else { filled.put(record) }
        }
        let changes = filled.changes
        filled.forgetChanges()
        let directory = filled
        for bucket in seeds.flatMap({ $0.buckets(newBucketConfiguration, in: directory) }) { try await create(bucket) }
        let generation = try Generation(number: number)
        try await database.write { connection in
            self.grants.sealed.beginReset()
            try connection.run(DirectoryStatement.deleteAll.rawValue)
            try connection.run(GrantStatement.deleteAll.rawValue)
            try connection.run(RevocationStatement.deleteAll.rawValue)
            try MobileCloudTables.empty(in: connection)
            try DirectoryRecords.write(changes, into: connection)
            try SettingRecords.set(Self.seedsName, to: Self.digest(of: seeds), in: connection)
            try generation.store(in: connection)
        } committed: { _ in
            self.keyUses.forget()
            self.state.withLock { state in
                self.grants.sealed.start(generation, marks: [:])
                state = State(directory: directory, generation: generation)
            }
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

    /// Finishes pending writes and closes the database. An ephemeral sandbox is removed.
    package func close() async {
        // No caller waits for this result, and earlier writes have already reported a sandbox that cannot be written.
        try? await keepKeyUses()
        await database.close()
    }
}
