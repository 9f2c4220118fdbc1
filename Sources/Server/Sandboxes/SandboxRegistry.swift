import Calls
import Cloud
import ConsoleFace
import ControlFace
import Cryptography
import Directory
import Federation
import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import ObjectStore
import Policy
import Seeds
import Synchronization
import WireFormats

/// The sandboxes and snapshots of a process.
///
/// The default sandbox is open while the process runs. The others are opened by their first request. They are evicted when they have not been
/// used for a while, or when too many are open.
package final class SandboxRegistry: Sendable {
    struct State {
        var sandboxes: [String: Sandbox] = [:]
        var snapshots: [String: Snapshot] = [:]
        var nextWorld = 1
        var isStopping = false
        /// The names of sandboxes by port.
        var ports: [Int: String] = [:]
        /// The URLs of the listeners.
        var endpoints: [String] = []
        /// Whether the folders exist.
        var hasFolders = false
    }

    let services: SharedServices
    let files: SandboxFiles
    let stock: SnapshotStock
    /// The first keys of the sandboxes that the seeds of the process fill.
    let seedKeys = TemplateKeys()
    /// Opens the ports of sandboxes, once the server listens.
    let ports: SandboxPorts
    private let root: DataFolder
    let state = Mutex(State())
    private let defaultSandbox: Sandbox
    /// The class of the process.
    let classOfProcess = Classroom()
    /// What the journals of the sandboxes showed so far.
    let progressBook = ProgressBook()
    /// Serializes creating and removing sandboxes and snapshots.
    let changes = Turnstile()

    var settings: Settings { services.settings }

    /// - Parameter root: the data folder, which the registry releases at the end.
    init(services: SharedServices, root: DataFolder, ports: SandboxPorts) {
        self.services = services
        self.root = root
        self.ports = ports
        files = SandboxFiles(root: root.path, isKept: services.settings.folder != nil, isSynced: services.settings.isSynced)
        stock = SnapshotStock()
        defaultSandbox = Sandbox(
            name: SandboxName.defaultName,
            record: Sandbox.Record(from: "seed", created: .now(), seeds: services.settings.seeds))
    }

    /// Opens the default sandbox, and reads the descriptions of the others in the data folder.
    /// - Throws: `StorageError`, or `SeedError` if a seed is invalid.
    func open() async throws -> Cloud {
        try Seed.checkTogether(settings.seeds)
        var record = defaultSandbox.record
        if settings.folder != nil {
            let dialect = settings.dialect.ofPolicies
            let sandboxes = try files.sandboxes(settings.seeds, dialect, root: root.beginning)
            let snapshots = try files.snapshots(settings.seeds, dialect)
            let lastWorld = try files.lastWorld(of: sandboxes)
            if let known = sandboxes[SandboxName.defaultName] { record = known }
            state.withLock { state in
                for (name, record) in sandboxes where name != SandboxName.defaultName {
                    state.sandboxes[name] = Sandbox(name: name, record: record)
                }
                state.snapshots = snapshots
                state.nextWorld = lastWorld + 1
            }
            for path in try files.unnamedDatabases(besides: sandboxes) {
                services.logger.warning(
                    "No sandbox has this database. Remove it if you do not need it", metadata: ["path": "\(path.visible)"])
            }
            for (name, record) in sandboxes {
                if let fault = record.fault { _ = sandboxFailed(fault, name) }
            }
            for (name, snapshot) in snapshots {
                if let fault = snapshot.fault { _ = snapshotFailed(fault, name) }
            }
        }
        try files.syncAll()
        // An earlier process has made the folder once its cloud was complete. Its sandboxes were removed since.
        if record.world == nil, root.beginning == .absent, !DataFolder.isAbsent("\(root.path)/worlds") {
            services.logger.warning(
                "There was no database file beside other sandboxes. The default sandbox is new",
                metadata: ["folder": "\(root.path.visible)"])
        }
        let cloud = try await openCloud(in: files.world(record.world), options(seeds: record.seeds, isDefault: true), isDefault: true)
        install(cloud, record, in: defaultSandbox)
        return cloud
    }

    /// Closes every sandbox and releases the data folder.
    func close() async {
        state.withLock { $0.isStopping = true }
        await services.keys.close()
        await stock.close()
        for sandbox in allSandboxes {
            guard let world = sandbox.remove() else { continue }
            await world.stop()
            await world.deliverLogs()
            await world.cloud.close()
        }
        await services.threads.close()
        root.release()
    }

    /// Removes the files of an ephemeral process at once, for a process that exits now.
    package func abandon() { root.release() }

    /// Adds the URL of a listener. The names of sandboxes are in the URL of the first one.
    func listens(at endpoint: String) { state.withLock { $0.endpoints.append(endpoint) } }

    /// The URLs of the listeners, except those of sandboxes.
    package var endpoints: [String] { state.withLock { $0.endpoints } }

    // MARK: Requests

    /// Returns the world of a sandbox. Opens it if it is evicted.
    /// - Parameter name: `nil` for the default sandbox.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    func world(of name: String?) async throws -> (world: World, sandbox: Sandbox) {
        guard let name else { return (try await world(of: defaultSandbox), defaultSandbox) }
        if let sandbox = sandbox(named: name) { return (try await world(of: sandbox), sandbox) }
        guard let origin = settings.sandboxes.onDemand else { throw SandboxRefusal.noSuchSandbox(name) }
        var order = SandboxOrder()
        order.name = name
        order.origin = origin == "seed" ? .seeds : .named(origin)
        do {
            _ = try await create(order)
        } catch SandboxRefusal.sandboxExists {
            // Another request has created it in the meantime.
        }
        guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchSandbox(name) }
        return (try await world(of: sandbox), sandbox)
    }

    /// The world of the default sandbox, if it is open, which it is while the process serves.
    var defaultWorld: World? { defaultSandbox.world }

    func sandbox(named name: String) -> Sandbox? {
        if name == SandboxName.defaultName { return defaultSandbox }
        return state.withLock { $0.sandboxes[name] }
    }

    func world(of sandbox: Sandbox) async throws -> World {
        if let world = sandbox.world { return world }
        let world = try await sandbox.changes.pass {
            if let world = sandbox.world { return world }
            guard !sandbox.isRemoved else { throw SandboxRefusal.noSuchSandbox(sandbox.name) }
            if let world = sandbox.adopt() { return world }
            let record = sandbox.record
            do {
                let folder = files.world(record.world)
                if let fault = record.fault ?? files.fault(ofDatabase: files.database(in: folder)) { throw fault }
                let cloud = try await openCloud(in: folder, options(of: record), isDefault: false)
                return install(cloud, record, in: sandbox)
            } catch let error where Self.isOfFiles(error) {
                throw sandboxFailed(error, sandbox.name)
            }
        }
        await evictSurplus(besides: sandbox)
        return world
    }

    /// Whether an error means that files cannot be used, and not that the disk is full or that the process stops.
    static func isOfFiles(_ error: any Error) -> Bool {
        if let error = error as? StorageError, error == .closed { return false }
        return !(error is SandboxRefusal || error is CancellationError || FullStorage.isCause(of: error))
    }

    /// Logs why a sandbox cannot be opened.
    /// - Returns: the refusal of each call that needs it.
    func sandboxFailed(_ error: any Error, _ name: String) -> SandboxRefusal {
        services.logger.error(
            "A sandbox cannot be opened", metadata: ["sandbox": "\(name.visible)", "error": "\(String(describing: error).visible)"])
        return .sandboxFailed(name)
    }

    /// Logs why a snapshot cannot be used.
    /// - Returns: the refusal of each call that needs it.
    func snapshotFailed(_ error: any Error, _ name: String) -> SandboxRefusal {
        services.logger.error(
            "A snapshot cannot be used", metadata: ["snapshot": "\(name.visible)", "error": "\(String(describing: error).visible)"])
        return .snapshotFailed(name)
    }

    /// Every sandbox, the default one first.
    var allSandboxes: [Sandbox] { [defaultSandbox] + state.withLock { Array($0.sandboxes.values) } }

    /// Every sandbox with its open world.
    var openWorlds: [(sandbox: Sandbox, world: World)] {
        allSandboxes.compactMap { sandbox in
            sandbox.world.map { (sandbox, $0) }
        }
    }

    /// Returns whether a host belongs to an object of an open sandbox: a bucket, a token vending machine or an issuer.
    func isHost(_ host: String) -> Bool {
        openWorlds.contains { _, world in
            world.cloud.directory.vending.kind(ofHost: host) != nil || world.cloud.objects.bucket(hostedAt: host) != nil
                || world.cloud.objects.bucket(named: host) != nil || world.cloud.directory.hasIssuer(atHost: host)
        }
    }

    // MARK: Worlds

    /// The limits of a database. The default sandbox has a larger cache, and no maximum size.
    func limits(isDefault: Bool) -> Database.Limits {
        var limits = isDefault ? Database.Limits() : .small
        if !isDefault { limits.size = settings.sandboxes.size }
        return limits
    }

    /// Opens the cloud in the folder of a sandbox.
    /// - Throws: an error that names the database if that is at fault, or `SeedError` if a seed is invalid.
    func openCloud(
        in folder: String, _ options: Cloud.Options, isDefault: Bool, isCopy: Bool = false, directory: Directory? = nil
    ) async throws -> Cloud {
        let path = folder + "/" + DataFolder.databaseName
        do {
            return try await Cloud.open(openDatabase(in: folder, isDefault: isDefault), options, isCopy: isCopy, directory: directory)
        } catch let error where Self.isOfRecord(error) {
            throw FileError(path: path, reason: "a record or a key in it cannot be read (\(error))")
        } catch StorageError.otherRows(let table) {
            throw FileError(path: path, reason: "its table '\(table)' has rows that no sandbox has")
        } catch {
            throw StorageError.naming(path, in: error)
        }
    }

    /// Whether an error is that of decoding a record of a database.
    static func isOfRecord(_ error: any Error) -> Bool {
        error is DecodingError || error is JSONSyntaxError || error as? CryptographyError == .invalidKey
    }

    /// Opens the database of a sandbox.
    private func openDatabase(in folder: String, isDefault: Bool) throws -> Database {
        let database = try Database(
            at: folder, limits: limits(isDefault: isDefault), isSynced: settings.isSynced, threads: services.threads)
        // The data folder has created the file in it.
        let beginning = folder == root.path ? root.beginning : database.beginning
        if let warning = beginning.warning { services.logger.warning("\(warning)", metadata: ["folder": "\(folder.visible)"]) }
        return database
    }

    /// Changes files. If they are synced, this happens on a thread that serves no requests, because it waits for the disk.
    func changeFiles(_ change: @escaping @Sendable () throws -> Void) async throws {
        if settings.isSynced { try await NIOThreadPool.singleton.runIfActive(change) } else { try change() }
    }

    private func options(of record: Sandbox.Record) -> Cloud.Options {
        var options = options(seeds: record.seeds, isDefault: false, keys: record.templateKeys)
        options.rootKeys = record.rootKeys
        return options
    }

    func options(seeds: [Seed], isDefault: Bool, keys: TemplateKeys? = nil) -> Cloud.Options {
        var options = Cloud.Options(seeds: seeds)
        options.keySupply = KeySupply(stock: services.keys, template: keys)
        options.newBuckets = settings.newBuckets
        options.issuersOverHTTP = settings.issuersOverHTTP
        options.seedDialect = settings.dialect.ofPolicies
        if !isDefault { options.journalCapacity = settings.sandboxes.journalCapacity }
        return options
    }

    /// Makes a cloud the state of a sandbox. The previous cloud closes when no request uses it any more.
    @discardableResult
    func install(_ cloud: Cloud, _ record: Sandbox.Record, in sandbox: Sandbox) -> World {
        cloud.usage.isEnabled = settings.recordsUsage
        let isDefault = sandbox === defaultSandbox
        var names = settings.names
        if isDefault { names.ancestors = record.ancestors } else { names = names.names(of: sandbox.name, ancestors: record.ancestors) }
        names.sandboxOfPort = { [weak self] port in self?.state.withLock { $0.ports[port] } }
        let access = ControlAccess(
            token: settings.controlToken, sandboxToken: record.token, isLoopback: settings.isLoopback,
            console: pageTokens(of: sandbox.name, record))
        let name = isDefault ? nil : sandbox.name
        names.hasConsole = settings.hasConsole
        names.consolePort = { [port = services.consolePort] in port.value }
        names.isConsoleState = { [access = self.consoleAccess(of: sandbox.name, record)] in access.isState($0, ofCallback: $1) }
        let world = World(
            cloud: cloud, names: names, access: access, console: console(of: sandbox.name, record), services: services, keeper: self
        ) { [weak self] request, isSecure in
            guard let self else { return Response(status: .serviceUnavailable) }
            let addressed = settings.names.sandboxHost(Origin.host(ofAuthority: request.authority))?.name
            return await Entrance(registry: self).respond(
                to: request, peer: nil, isSecure: isSecure, at: addressed ?? name, isOwn: true)
        }
        world.start()
        let replaced = sandbox.record.ownWorld
        if let old = sandbox.open(world, record) {
            retire(old, number: replaced)
        } else if let replaced, replaced != record.world {
            // It was evicted, and no request uses it.
            files.removeWorld(replaced)
        }
        return world
    }

    /// Ends a world that was replaced or removed. Its files are removed with its last use.
    func retire(_ world: World, number: Int?) {
        if number == nil { world.cloud.database.discardFile() } else { world.cloud.database.discard() }
        Task { await world.stop() }
    }

    // MARK: Eviction and expiry

    /// Removes sandboxes that have expired, and evicts those that were not used for a while.
    func sweep() async {
        let now = Timestamp.now()
        for sandbox in state.withLock({ Array($0.sandboxes.values) }) {
            if let expires = sandbox.record.expires, expires <= now {
                do { try await delete(sandbox.name) } catch is SandboxRefusal {} catch {
                    services.logger.error(
                        "An expired sandbox cannot be removed",
                        metadata: ["sandbox": "\(sandbox.name.visible)", "error": "\(String(describing: error).visible)"])
                }
            } else if let used = sandbox.used, used + .seconds(settings.sandboxes.idle) <= now {
                await evict(sandbox)
            }
        }
    }

    func evictSurplus(besides newest: Sandbox) async {
        let open = state.withLock { $0.sandboxes.values.filter { $0.world != nil } }
        let surplus = open.count - min(settings.sandboxes.openCount, Descriptors().sandboxes)
        guard surplus > 0 else { return }
        let oldest = open.filter { $0 !== newest }.sorted { $0.used?.milliseconds ?? 0 < $1.used?.milliseconds ?? 0 }
        for sandbox in oldest.prefix(surplus) { await evict(sandbox) }
    }

    func evict(_ sandbox: Sandbox) async {
        try? await sandbox.changes.pass {
            // The world closes with its last use. Until then its background work continues, because a request may need it again.
            guard let world = sandbox.evict() else { return }
            readProgress(of: sandbox, world)
            await world.deliverLogs()
            await world.cloud.rest()
        }
    }
}
