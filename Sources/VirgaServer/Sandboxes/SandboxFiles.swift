import Cloud
import ControlFace
import Cryptography
import Directory
import ObjectStore
import Policy
import Seeds
import Synchronization
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of sandboxes and snapshots in the data folder.
///
/// ```text
/// virga.sqlite                  the default sandbox, until its first restore
/// worlds/<number>/virga.sqlite  the state of another sandbox, or of the default one after a restore
/// sandboxes/<name>.json         a sandbox, and the number of its world
/// snapshots/<name>/             virga.sqlite, which no connection opens, and snapshot.json
/// ```
/// A folder is filled under a name that begins with a dot, and is then renamed. At the start of a process, folders that begin with a dot and
/// worlds without a sandbox are removed: a killed process left them.
struct SandboxFiles: Sendable {
    private let root: String
    /// Whether the descriptions are written, so that the next process finds them.
    private let isKept: Bool
    /// Whether what is written survives a power failure when a function returns.
    private let isSynced: Bool

    init(root: String, isKept: Bool, isSynced: Bool = false) {
        self.root = root
        self.isKept = isKept
        self.isSynced = isSynced
    }

    func world(_ number: Int?) -> String { number.map { "\(root)/worlds/\($0)" } ?? root }

    func snapshot(_ name: String) -> String { "\(root)/snapshots/\(name)" }

    /// The folder in which a snapshot is made.
    func draft(_ name: String) -> String { "\(root)/snapshots/.\(name)" }

    private func sandbox(_ name: String) -> String { "\(root)/sandboxes/\(name).json" }

    /// Creates the folders that do not exist.
    func makeFolders() throws(StorageError) {
        for name in ["worlds", "sandboxes", "snapshots"] { _ = try DataFolder(unlocked: "\(root)/\(name)") }
        if isSynced { try DiskSync.sync(root) }
    }

    /// Forces the files of sandboxes and snapshots to the disk, if files are synced: an earlier process may have written without syncing.
    func syncAll() throws(StorageError) {
        guard isSynced else { return }
        for name in ["worlds", "sandboxes", "snapshots"] where access("\(root)/\(name)", F_OK) == 0 {
            try DiskSync.syncTree("\(root)/\(name)")
        }
        try DiskSync.sync(root)
    }

    /// Forces removals of sandboxes and snapshots to the disk, if files are synced.
    func syncRemovals() throws(StorageError) {
        guard isSynced else { return }
        for name in ["sandboxes", "snapshots"] { try DiskSync.sync("\(root)/\(name)") }
    }

    // MARK: Sandboxes

    /// Writes the description of a sandbox. From now on the next process finds it.
    func write(_ record: Sandbox.Record, of name: String) throws {
        guard isKept else { return }
        var json: JSONObject = [
            "from": .string(record.from), "created": .integer(record.created.milliseconds),
            "ancestors": .array(record.ancestors.sorted().map { .string($0) }),
        ]
        if let expires = record.expires { json["expires"] = .integer(expires.milliseconds) }
        if let world = record.world { json["world"] = .integer(Int64(world)) }
        if let token = record.token { json["token"] = .string(token) }
        if !record.ports.isEmpty { json["ports"] = .array(record.ports.map { .integer(Int64($0)) }) }
        if let file = record.seedFile { json["seed"] = .string(file.text.base64) }
        try File.write(JSONValue.object(json).serialized(), to: sandbox(name), mode: 0o600, isSynced: isSynced)
    }

    func remove(_ name: String) { unlink(sandbox(name)) }

    /// Returns the sandboxes of an earlier process, and removes files that belong to no sandbox.
    /// - Parameters:
    ///   - seeds: the seeds of the process.
    ///   - dialect: the dialect of the policies in other seeds.
    func sandboxes(_ seeds: [Seed], _ dialect: PolicyDialect = .aws) throws -> [String: Sandbox.Record] {
        var found: [String: Sandbox.Record] = [:]
        for entry in DataFolder.names(in: "\(root)/sandboxes") where entry.hasSuffix(".json") {
            let name = String(entry.dropLast(".json".count))
            guard let text = try File.read(sandbox(name)), let json = try? JSONValue(parsing: text),
                let created = json["created"]?.integerValue
            else { continue }
            var record = Sandbox.Record(
                from: json["from"]?.stringValue ?? "", created: Timestamp(milliseconds: created),
                expires: json["expires"]?.integerValue.map { Timestamp(milliseconds: $0) },
                world: json["world"]?.integerValue.map { Int($0) }, seeds: seeds)
            record.token = json["token"]?.stringValue
            record.ports = json["ports"]?.arrayValue?.compactMap { $0.integerValue.map { Int($0) } } ?? []
            record.ancestors = Set(json["ancestors"]?.arrayValue?.compactMap(\.stringValue) ?? [])
            if let text = json["seed"]?.stringValue.flatMap({ [UInt8](base64: $0) }) {
                let file = SeedFile(name: "seed", text: text)
                (record.seedFile, record.seeds) = (file, [try file.decode(dialect)])
            }
            found[name] = record
        }
        let worlds = Set(found.values.compactMap(\.world))
        for entry in DataFolder.names(in: "\(root)/worlds") where Int(entry).map({ !worlds.contains($0) }) ?? true {
            DataFolder.remove("\(root)/worlds/\(entry)")
        }
        // After the default sandbox's first restore, its file at the root is no longer used.
        if found[SandboxName.defaultName]?.world != nil { try DataFolder(unlocked: root).removeDatabase() }
        return found
    }

    // MARK: Snapshots

    /// The prefix of a snapshot's folder while another snapshot replaces it.
    private static let replacedPrefix = ".replaced-"

    /// Makes the folder of a snapshot visible, and removes an earlier snapshot of the same name.
    /// - Parameter draft: the folder in which the snapshot was made.
    func publish(_ snapshot: Snapshot, from draft: String) throws {
        let path = self.snapshot(snapshot.name)
        let replaced = self.snapshot(Self.replacedPrefix + snapshot.name)
        if isKept {
            var json: JSONObject = [
                "from": .string(snapshot.from), "created": .integer(snapshot.created.milliseconds),
                "ancestors": .array(snapshot.ancestors.sorted().map { .string($0) }),
            ]
            if let file = snapshot.seedFile { json["seed"] = .string(file.text.base64) }
            try File.write(JSONValue.object(json).serialized(), to: draft + "/snapshot.json", mode: 0o600)
        }
        if isSynced { try DiskSync.syncTree(draft) }
        // If the process is killed here, the next one finds either the old or the new snapshot.
        DataFolder.remove(replaced)
        guard rename(path, replaced) == 0 || errno == ENOENT, rename(draft, path) == 0 else {
            defer { rename(replaced, path) }
            throw FileError(path: path, reason: String(cString: strerror(errno)))
        }
        do { if isSynced { try DiskSync.sync("\(root)/snapshots") } } catch {
            rename(path, draft)
            rename(replaced, path)
            throw error
        }
        DataFolder.remove(replaced)
    }

    /// Restores the snapshots whose replacement was not finished.
    private func takeBackReplaced() {
        for entry in DataFolder.names(in: "\(root)/snapshots") where entry.hasPrefix(Self.replacedPrefix) {
            let path = snapshot(String(entry.dropFirst(Self.replacedPrefix.count)))
            if access(path, F_OK) != 0 { rename(snapshot(entry), path) }
        }
    }

    /// Returns the snapshots of an earlier process, and removes incomplete ones.
    func snapshots(_ seeds: [Seed], _ dialect: PolicyDialect = .aws) throws -> [String: Snapshot] {
        takeBackReplaced()
        var found: [String: Snapshot] = [:]
        for name in DataFolder.names(in: "\(root)/snapshots") {
            let path = snapshot(name)
            guard !name.hasPrefix("."), let text = try File.read(path + "/snapshot.json"), let json = try? JSONValue(parsing: text),
                let created = json["created"]?.integerValue
            else {
                DataFolder.remove(path)
                continue
            }
            var seeds = seeds
            var file: SeedFile?
            if let text = json["seed"]?.stringValue.flatMap({ [UInt8](base64: $0) }) {
                let own = SeedFile(name: "seed", text: text)
                (file, seeds) = (own, [try own.decode(dialect)])
            }
            found[name] = Snapshot(
                name: name, from: json["from"]?.stringValue ?? "", created: Timestamp(milliseconds: created),
                database: FrozenDatabase(path: path + "/" + DataFolder.databaseName), seeds: seeds, seedFile: file,
                ancestors: Set(json["ancestors"]?.arrayValue?.compactMap(\.stringValue) ?? []))
        }
        return found
    }
}

/// The directory of a snapshot, which is known once a copy of it was opened.
final class SharedDirectory: Sendable {
    private let known = Mutex<Directory?>(nil)

    var value: Directory? { known.withLock { $0 } }

    /// Keeps the directory, if it is not known yet.
    func keep(_ directory: @autoclosure () -> Directory) {
        known.withLock { known in
            if known == nil { known = directory().forCopy }
        }
    }
}

/// A frozen state of a sandbox.
struct Snapshot: Sendable {
    var name: String
    /// The sandbox that it was taken of.
    var from: String
    var created: Timestamp
    var database: FrozenDatabase
    /// The seeds that a reset of its copies applies.
    var seeds: [Seed]
    /// The text of the seed, if it is not the process's.
    var seedFile: SeedFile?
    /// The sandboxes whose addresses tokens and URLs in it can contain.
    var ancestors: Set<String>
    /// Its directory, which all copies share.
    let directory = SharedDirectory()
    /// The first keys of its copies.
    var keys = TemplateKeys()
    /// Distinguishes it from an earlier snapshot of the same name.
    var serial = 0

    /// The name of its copies in the stock.
    var stockName: String { "\(name)#\(serial)" }

    var description: SnapshotDescription {
        SnapshotDescription(name: name, from: from, created: created, bytes: database.size)
    }
}
