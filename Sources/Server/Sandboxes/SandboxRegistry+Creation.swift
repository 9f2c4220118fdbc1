import Cloud
package import ControlFace
import Cryptography
import Directory
import Federation
import ObjectStore
import Policy
import Seeds
import Synchronization
import WireFormats

extension SandboxRegistry {
    /// The state of a new sandbox: an open cloud, and its origin.
    private struct Content {
        var cloud: Cloud
        var world: Int
        var from: String
        var seeds: [Seed]
        var seedFile: SeedFile?
        var ancestors: Set<String> = []
        var templateKeys: TemplateKeys?
        var rootKeys: [String: AccessKey] = [:]
    }

    /// Creates a sandbox, or replaces one.
    package func create(_ order: SandboxOrder) async throws -> CreatedSandbox {
        try await changes.pass {
            let name = try name(for: order)
            let existing = sandbox(named: name)
            if existing != nil, !order.replaces { throw SandboxRefusal.sandboxExists(name) }
            if existing == nil {
                guard !services.drain.isOn else { throw SandboxRefusal.draining }
                let count = state.withLock { $0.sandboxes.count }
                guard count < settings.sandboxes.count else { throw SandboxRefusal.tooMany(limit: settings.sandboxes.count) }
            }
            try prepareFolders()
            let faults = try order.copiesFaults ? faults(for: order, replaced: existing) : nil
            let content = try await content(from: order.origin)
            if let faults { content.cloud.faults.copy(from: faults) }
            var rootKey = content.cloud.directory.rootKey(of: .aws)
            let now = Timestamp.now()
            var record = Sandbox.Record(
                from: content.from, created: now, expires: order.lifetime.map { now + .seconds($0) }, world: content.world,
                seeds: content.seeds)
            (record.seedFile, record.ancestors, record.templateKeys) = (content.seedFile, content.ancestors, content.templateKeys)
            let sandbox = existing ?? Sandbox(name: name, record: record)
            do {
                record.rootKeys = order.hasRandomRoot ? try content.cloud.directory.randomRootKeys() : content.rootKeys
                if !record.rootKeys.isEmpty {
                    try await content.cloud.replaceRootKeys(record.rootKeys)
                    rootKey = content.cloud.directory.rootKey(of: .aws)
                }
                record.token = settings.controlToken == nil ? nil : try randomBytes(24).base64url
                if order.hasPort { try await openPorts(of: sandbox) }
                record.ports = sandbox.ports
                try await sandbox.changes.pass {
                    let previous = existing?.record
                    try await changeFiles { [files, record] in try files.write(record, of: name, replacing: previous) }
                    install(content.cloud, record, in: sandbox)
                    sandbox.use()
                }
            } catch {
                if existing == nil {
                    await closePorts(of: sandbox)
                    try? files.remove(name, record)
                }
                content.cloud.database.discard()
                await content.cloud.close()
                throw error
            }
            state.withLock { $0.sandboxes[name] = sandbox }
            await evictSurplus(besides: sandbox)
            return CreatedSandbox(
                description: description(of: sandbox), token: record.token, rootKey: rootKey.map { ($0.id, $0.secret) },
                isReplacement: existing != nil)
        }
    }

    /// Returns the rules that a new sandbox gets: those of the sandbox that it copies, or else of the one that it replaces. An evicted
    /// sandbox has none.
    private func faults(for order: SandboxOrder, replaced: Sandbox?) throws(SandboxRefusal) -> Faults? {
        var source = replaced
        if case .named(let name) = order.origin, state.withLock({ $0.snapshots[name] }) == nil { source = sandbox(named: name) }
        guard let source else { throw .noFaults }
        return source.world?.cloud.faults
    }

    private func name(for order: SandboxOrder) throws -> String {
        if let name = order.name {
            if name == SandboxName.defaultName, order.replaces { throw SandboxRefusal.isDefault }
            try SandboxName.check(name)
            return name
        }
        // The name with the random characters must be valid as well.
        let name = "\(order.prefix)-\(try randomBytes(4).hex)"
        try SandboxName.check(name)
        return name
    }

    private func content(from origin: SandboxOrder.Origin) async throws -> Content {
        switch origin {
        case .seeds:
            let snapshot = try await seedSnapshot()
            let copy = try await copy(of: snapshot)
            services.keys.prepare(snapshot.keys, copy.cloud.directory.usualKeys)
            return Content(cloud: copy.cloud, world: copy.world, from: "seed", seeds: settings.seeds, templateKeys: snapshot.keys)
        case .nothing: return try await content(seeds: [], from: "nothing", file: SeedFile(name: "seed", text: Array("{}".utf8)))
        case .seed(let file):
            return try await content(seeds: try SeedFile.decode([file], settings.dialect.ofPolicies), from: "seed", file: file)
        case .named(let name):
            if SandboxName.isPublic(name), let snapshot = state.withLock({ $0.snapshots[name] }) {
                let copy = try await copy(of: snapshot)
                return Content(
                    cloud: copy.cloud, world: copy.world, from: name, seeds: snapshot.seeds, seedFile: snapshot.seedFile,
                    ancestors: snapshot.ancestors, templateKeys: snapshot.keys)
            }
            guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchOrigin(name) }
            let (folder, database) = try await freeze(sandbox)
            defer { DataFolder.remove(folder) }
            let (record, seeds) = (sandbox.record, sandbox.world?.cloud.seeds ?? sandbox.record.seeds)
            let world = try makeWorld()
            try database.move(into: files.world(world))
            let cloud = try await open(world, seeds: seeds, isCopy: true, keys: record.templateKeys)
            return Content(
                cloud: cloud, world: world, from: name, seeds: seeds, seedFile: record.seedFile,
                ancestors: record.ancestors.union([name]), templateKeys: record.templateKeys, rootKeys: record.rootKeys)
        }
    }

    private func content(seeds: [Seed], from: String, file: SeedFile) async throws -> Content {
        let world = try makeWorld()
        // It has no siblings. A sandbox with a seed of its own takes its first keys from the stock.
        services.keys.fill()
        return Content(
            cloud: try await open(world, seeds: seeds, isCopy: false), world: world, from: from, seeds: seeds, seedFile: file)
    }

    /// Opens the cloud in the folder of a world. If that fails, the folder is removed.
    /// - Parameters:
    ///   - directory: the directory in the database, if it is known.
    ///   - keys: the keys of the template that it is made from.
    func open(
        _ world: Int, seeds: [Seed], isCopy: Bool, isDefault: Bool = false, directory: Directory? = nil, keys: TemplateKeys? = nil
    ) async throws -> Cloud {
        do {
            return try await openCloud(
                in: files.world(world), options(seeds: seeds, isDefault: isDefault, keys: keys), isDefault: isDefault, isCopy: isCopy,
                directory: directory)
        } catch {
            files.removeWorld(world)
            throw error
        }
    }

    /// Creates the folder of a new world.
    func makeWorld() throws -> Int {
        let world = nextWorld()
        try files.makeWorld(world)
        return world
    }

    func nextWorld() -> Int {
        state.withLock { state in
            defer { state.nextWorld += 1 }
            return state.nextWorld
        }
    }

    /// Creates the folders of sandboxes at the first use.
    func prepareFolders() throws {
        guard !state.withLock(\.isStopping) else { throw SandboxRefusal.stopping }
        guard !state.withLock(\.hasFolders) else { return }
        try files.makeFolders()
        state.withLock { $0.hasFolders = true }
    }

    /// Closes the ports of a sandbox and removes it.
    package func delete(_ name: String) async throws {
        guard name != SandboxName.defaultName else { throw SandboxRefusal.isDefault }
        try await changes.pass {
            guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchSandbox(name) }
            try await sandbox.changes.pass {
                // If the description stays, so does the sandbox.
                let record = sandbox.record
                try await changeFiles { [files] in try files.remove(name, record) }
                state.withLock { $0.sandboxes[name] = nil }
                let number = record.ownWorld
                if let world = sandbox.remove() {
                    retire(world, number: number)
                } else if let number {
                    files.removeWorld(number)
                }
            }
            leaveClass(name)
            await closePorts(of: sandbox)
        }
    }

    // MARK: Descriptions

    /// Every sandbox, the default one first.
    package func sandboxes() -> [SandboxDescription] {
        let others = state.withLock { $0.sandboxes.values.sorted { $0.name < $1.name } }
        return ([sandbox(named: SandboxName.defaultName)].compactMap { $0 } + others).map(description(of:))
    }

    func description(of sandbox: Sandbox) -> SandboxDescription {
        let record = sandbox.record
        let world = sandbox.world
        let endpoint = state.withLock { $0.endpoints.first ?? "" }
        var url = endpoint
        if sandbox.name != SandboxName.defaultName { url = settings.names.url(of: sandbox.name, at: endpoint) }
        // The state of a sandbox with an unreadable description is not found.
        let isFound = record.world != nil || sandbox.name == SandboxName.defaultName
        let file = FrozenDatabase(path: files.world(record.world) + "/" + DataFolder.databaseName)
        return SandboxDescription(
            name: sandbox.name, state: world == nil ? .evicted : .open, from: record.from, created: record.created, used: sandbox.used,
            expires: record.expires, bytes: isFound ? file.size : 0, url: url, portURL: ports.url(of: sandbox),
            securePortURL: ports.secureURL(of: sandbox))
    }
}

extension Directory {
    /// Returns a new random root access key for each account that has one, by account ID.
    fileprivate func randomRootKeys() throws -> [String: AccessKey] {
        var keys: [String: AccessKey] = [:]
        for account in accounts.values where !account.rootKeys.isEmpty {
            let id =
                try Vendor(account: account.id) == .aws
                ? "AKIA" + AccessKeyAlphabet.text(account: account.id, randomBytes(5)) : "LTAI5t" + AccessKeyAlphabet.text(randomBytes(18))
            keys[account.id] = AccessKey(id: id, secret: try randomBytes(30).base64, created: Timestamp.now())
        }
        return keys
    }
}
