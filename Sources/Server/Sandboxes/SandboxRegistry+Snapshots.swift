package import Cloud
package import ControlFace
import Cryptography
import Directory
import Federation
import Logging
import NIOPosix
package import ObjectStore
import SQLite
package import Seeds
import Synchronization
import WireFormats

extension SandboxRegistry: SandboxKeeper {
    package func restore(_ name: String, from snapshotName: String, keepsFaults: Bool) async throws {
        guard let sandbox = sandbox(named: name) else { throw SandboxRefusal.noSuchSandbox(name) }
        let (snapshot, copy) = try await copy(ofSnapshot: snapshotName, isDefault: name == SandboxName.defaultName)
        do {
            try await sandbox.changes.pass {
                guard !sandbox.isRemoved else { throw SandboxRefusal.noSuchSandbox(name) }
                let previous = sandbox.record
                var record = previous
                (record.world, record.from) = (copy.world, snapshotName)
                (record.seeds, record.seedFile, record.ancestors) = (snapshot.seeds, snapshot.seedFile, snapshot.ancestors)
                (record.templateKeys, record.fault) = (snapshot.keys, nil)
                if !record.rootKeys.isEmpty { try await copy.cloud.replaceRootKeys(record.rootKeys) }
                if keepsFaults, let replaced = sandbox.world { copy.cloud.faults.copy(from: replaced.cloud.faults) }
                try await changeFiles { [files, record] in try files.write(record, of: name, replacing: previous) }
                install(copy.cloud, record, in: sandbox)
                sandbox.use()
            }
        } catch {
            copy.cloud.database.discard()
            await copy.cloud.close()
            throw error
        }
        await evictSurplus(besides: sandbox)
    }

    package func snapshots() -> [SnapshotDescription] {
        state.withLock { $0.snapshots.values.filter { SandboxName.isPublic($0.name) } }.sorted { $0.name < $1.name }.map(\.description)
    }

    package func takeSnapshot(of sandboxName: String, named name: String, replaces: Bool) async throws -> SnapshotDescription {
        try SandboxName.check(name)
        guard let sandbox = sandbox(named: sandboxName) else { throw SandboxRefusal.noSuchSandbox(sandboxName) }
        return try await changes.pass {
            if !replaces, state.withLock({ $0.snapshots[name] != nil }) { throw SandboxRefusal.snapshotExists(name) }
            try prepareFolders()
            let (_, database) = try await freeze(sandbox, as: name)
            let record = sandbox.record
            var snapshot = Snapshot(
                name: name, from: sandboxName, created: .now(), database: database, seeds: sandbox.world?.cloud.seeds ?? record.seeds,
                seedFile: record.seedFile, ancestors: record.ancestors.union([sandboxName]))
            if let keys = record.templateKeys { snapshot.keys = keys }
            return try await publish(snapshot)
        }
    }

    /// Writes a copy of a sandbox's state into a new folder, which the caller removes or publishes.
    /// - Parameter name: the name of the snapshot; `nil` if it will not be published.
    func freeze(_ sandbox: Sandbox, as name: String? = nil) async throws -> (folder: String, database: FrozenDatabase) {
        let world = try await world(of: sandbox)
        let folder = try makeDraft(name)
        do {
            return (folder, try await world.cloud.snapshot(to: folder + "/" + DataFolder.databaseName))
        } catch {
            DataFolder.remove(folder)
            throw error
        }
    }

    /// Creates an empty folder for a snapshot that is being made.
    /// - Parameter name: the name of the snapshot; `nil` for a random name.
    private func makeDraft(_ name: String? = nil) throws -> String {
        let folder = try name.map(files.draft) ?? randomDraft()
        DataFolder.remove(folder)
        _ = try DataFolder(unlocked: folder)
        return folder
    }

    /// Returns the path of a draft that no other call uses. No name of a snapshot begins with a hyphen.
    private func randomDraft() throws -> String { files.draft("-" + (try randomBytes(6)).hex) }

    private func publish(_ draft: Snapshot) async throws -> SnapshotDescription {
        var snapshot = draft
        snapshot.serial = nextWorld()
        snapshot.database = FrozenDatabase(path: files.snapshot(draft.name) + "/" + DataFolder.databaseName)
        let replaced = state.withLock { $0.snapshots[draft.name] }
        let folder = String(draft.database.path.dropLast(DataFolder.databaseName.utf8.count + 1))
        try await changeFiles { [files, snapshot] in try files.publish(snapshot, from: folder) }
        state.withLock { $0.snapshots[draft.name] = snapshot }
        if let replaced { await stock.clear(replaced.stockName) }
        return snapshot.description
    }

    package func deleteSnapshot(_ name: String) async throws {
        try await changes.pass {
            guard SandboxName.isPublic(name), let snapshot = state.withLock({ $0.snapshots[name] }) else {
                throw SandboxRefusal.noSuchSnapshot(name)
            }
            let draft = try randomDraft()
            try await changeFiles { [files, logger = services.logger] in
                if try files.removeSnapshot(name, by: draft) { return }
                logger.warning("The files of a removed snapshot are still there", metadata: ["folder": "\(draft.visible)"])
            }
            state.withLock { $0.snapshots[name] = nil }
            await stock.clear(snapshot.stockName)
        }
    }

    package func snapshotFile(_ name: String) throws -> FrozenDatabase {
        guard SandboxName.isPublic(name), let snapshot = state.withLock({ $0.snapshots[name] }) else {
            throw SandboxRefusal.noSuchSnapshot(name)
        }
        if let fault = fault(of: snapshot) { throw snapshotFailed(fault, name) }
        return snapshot.database
    }

    package func importSnapshot(
        _ name: String, _ write: @Sendable (_ path: String) async throws -> Void
    ) async throws -> SnapshotDescription {
        try SandboxName.check(name)
        try await changes.pass { try prepareFolders() }
        // Other calls do not wait while the client sends the file.
        let folder = try makeDraft()
        do {
            let database = FrozenDatabase(path: folder + "/" + DataFolder.databaseName)
            try await write(database.path)
            guard database.size > 0 else { throw SandboxRefusal.invalidFile("it is empty") }
            try await checkImport(database, in: folder)
            return try await changes.pass {
                if state.withLock({ $0.snapshots[name] != nil }) { throw SandboxRefusal.snapshotExists(name) }
                return try await publish(
                    Snapshot(name: name, from: "file", created: .now(), database: database, seeds: settings.seeds, ancestors: []))
            }
        } catch {
            DataFolder.remove(folder)
            throw error
        }
    }

    /// Checks an imported file, and opens it, which checks its records and settings. Opening also begins an epoch, so that credentials that
    /// are issued from now on belong to this process.
    private func checkImport(_ database: FrozenDatabase, in folder: String) async throws {
        do {
            // Reading a large file takes a while.
            try await NIOThreadPool.singleton.runIfActive { try database.inspect() }
            let cloud = try await Cloud.open(
                Database(at: folder, limits: limits(isDefault: false), threads: services.threads),
                options(seeds: settings.seeds, isDefault: false), isCopy: true)
            do { try await cloud.checkRecords() } catch {
                await cloud.close()
                throw error
            }
            await cloud.close()
        } catch let error as StorageError {
            throw error.faultOfFile.map(SandboxRefusal.invalidFile) ?? error
        } catch ObjectStoreError.storage(let error) {
            throw StorageError.sqlite(error).faultOfFile.map(SandboxRefusal.invalidFile) ?? error
        } catch let error as SQLiteError {
            throw StorageError.sqlite(error).faultOfFile.map(SandboxRefusal.invalidFile) ?? error
        } catch let error where Self.isOfRecord(error) {
            throw SandboxRefusal.invalidFile("a record or a key in it cannot be read")
        }
    }

    package func keepSeed(_ seed: SeedFile, of cloud: Cloud) async throws {
        guard let sandbox = allSandboxes.first(where: { $0.has(cloud) }) else { return }
        if settings.folder != nil { try prepareFolders() }
        try await sandbox.changes.pass {
            // A restore may have replaced the cloud, and the seed with it.
            guard sandbox.has(cloud), !sandbox.isRemoved else { return }
            var record = sandbox.record
            (record.seeds, record.seedFile) = (cloud.seeds, seed)
            try await changeFiles { [files, record] in try files.write(record, of: sandbox.name) }
            sandbox.describe(record)
        }
    }

    /// The size of a snapshot in bytes up to which many copies are kept in stock.
    private static let largestInNumbers: Int64 = 16 << 20

    /// Returns an open copy of a snapshot, out of the stock or a new one.
    /// - Parameter isDefault: whether the copy is for the default sandbox, whose limits differ.
    func copy(of snapshot: Snapshot, isDefault: Bool = false) async throws -> SnapshotStock.Copy {
        // Copies of a large snapshot take much space on the disk.
        let most = snapshot.database.size <= Self.largestInNumbers ? 8 : 2
        do {
            if let fault = snapshot.fault { throw fault }
            return try await stock.take(SnapshotStock.Kind(snapshot: snapshot.stockName, isDefault: isDefault), keeping: most) { [self] in
                try await makeCopy(of: snapshot, isDefault: isDefault)
            }
        } catch let error where SandboxName.isPublic(snapshot.name) && Self.isOfFiles(error) {
            throw snapshotFailed(error, snapshot.name)
        }
    }

    /// Returns why a snapshot cannot be used; `nil` if it can.
    private func fault(of snapshot: Snapshot) -> UnreadableDescription? {
        snapshot.fault ?? files.fault(ofDatabase: snapshot.database.path)
    }

    /// Returns a snapshot and an open copy of it, even if the snapshot is replaced meanwhile.
    private func copy(ofSnapshot name: String, isDefault: Bool) async throws -> (snapshot: Snapshot, copy: SnapshotStock.Copy) {
        func current() throws -> Snapshot {
            guard SandboxName.isPublic(name), let snapshot = state.withLock({ $0.snapshots[name] }) else {
                throw SandboxRefusal.noSuchSnapshot(name)
            }
            return snapshot
        }
        let snapshot = try current()
        do {
            return (snapshot, try await copy(of: snapshot, isDefault: isDefault))
        } catch {
            // Another call may have replaced or removed it.
            try await changes.pass {}
            let present = try current()
            guard present.serial != snapshot.serial else { throw error }
            return (present, try await copy(of: present, isDefault: isDefault))
        }
    }

    /// Makes a copy of a snapshot and opens it.
    func makeCopy(of snapshot: Snapshot, isDefault: Bool) async throws -> SnapshotStock.Copy {
        if let fault = fault(of: snapshot) { throw fault }
        let world = try makeWorld()
        do { try snapshot.database.copy(into: files.world(world)) } catch {
            files.removeWorld(world)
            throw error
        }
        let cloud = try await open(
            world, seeds: snapshot.seeds, isCopy: true, isDefault: isDefault, directory: snapshot.directory.value, keys: snapshot.keys)
        snapshot.directory.keep(cloud.directory)
        return SnapshotStock.Copy(cloud: cloud, world: world)
    }

    /// Returns the snapshot of a cloud that the seeds of the process have just filled, which is made once.
    func seedSnapshot() async throws -> Snapshot {
        let name = SandboxName.seedSnapshot
        if let known = state.withLock({ $0.snapshots[name] }) { return known }
        let world = try makeWorld()
        let cloud = try await open(world, seeds: settings.seeds, isCopy: false)
        let folder = try makeDraft(name)
        let database = try await cloud.snapshot(to: folder + "/" + DataFolder.databaseName)
        cloud.database.discard()
        await cloud.close()
        // It is not published: another process may have other seeds.
        var snapshot = Snapshot(
            name: name, from: "seed", created: .now(), database: database, seeds: settings.seeds, ancestors: [])
        snapshot.keys = seedKeys
        state.withLock { $0.snapshots[name] = snapshot }
        return snapshot
    }
}

extension StorageError {
    /// What is wrong with an imported file; `nil` if the error is not the file's.
    fileprivate var faultOfFile: String? {
        switch self {
        case .foreignFile: "it is not a database of Virga"
        case .otherVersion(_, let found, let known): "it has version \(found), and this program reads versions 1 to \(known)"
        case .otherTables(_, let version): "it has version \(version), but not the tables of that version"
        case .otherRows(let table): "its table '\(table)' has rows that no sandbox has"
        case .sqlite(let error), .unreadableFile(_, let error): error.isFull ? nil : error.message
        case .unusableFolder, .inUse, .closed: nil
        }
    }
}
