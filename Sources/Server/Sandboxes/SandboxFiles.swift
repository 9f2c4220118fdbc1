import Cloud
import ControlFace
import Cryptography
import Directory
import ObjectStore
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
/// The folder of a snapshot is filled as a draft, and is then renamed. The start of a process removes what a killed process left, if its name
/// or its mark says so: drafts, and databases that `removeUnowned` knows. Nothing is removed because it cannot be read, because nothing
/// describes it, or because it is not what a description says. Nothing new takes its place either: `fault(ofDatabase:)` decides that for
/// every database.
struct SandboxFiles: Sendable {
    let root: String
    /// Whether the descriptions are written, so that the next process finds them.
    let isKept: Bool
    /// Whether what is written survives a power failure when a function returns.
    let isSynced: Bool

    init(root: String, isKept: Bool, isSynced: Bool = false) {
        self.root = root
        self.isKept = isKept
        self.isSynced = isSynced
    }

    func world(_ number: Int?) -> String { number.map { "\(root)/worlds/\($0)" } ?? root }

    func snapshot(_ name: String) -> String { "\(root)/snapshots/\(name)" }

    /// The folder in which a snapshot is made. No snapshot's predecessor has such a name.
    func draft(_ name: String) -> String { snapshot(Self.draftPrefix + name) }

    /// The prefix of a folder in which a snapshot is made.
    static let draftPrefix = ".draft-"

    /// The description of a sandbox.
    func sandbox(_ name: String) -> String { "\(root)/sandboxes/\(name).json" }

    /// The description of a snapshot.
    func description(ofSnapshot name: String) -> String { "\(snapshot(name))/\(Self.snapshotDescription)" }

    /// The name of the description in a snapshot's folder.
    static let snapshotDescription = "snapshot.json"

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

    // MARK: Sandboxes

    /// Writes the description of a sandbox. From now on the next process finds it, and its database has no mark.
    /// - Parameter previous: what was known of the sandbox. If it had another database, that is marked as unowned.
    func write(_ record: Sandbox.Record, of name: String, replacing previous: Sandbox.Record? = nil) throws {
        guard isKept else { return }
        var json: JSONObject = [
            "from": .string(record.from), "created": .integer(record.created.milliseconds),
            "ancestors": .array(record.ancestors.sorted().map { .string($0) }),
        ]
        if let expires = record.expires { json["expires"] = .integer(expires.milliseconds) }
        if let world = record.world { json["world"] = .integer(Int64(world)) }
        if !record.rootKeys.isEmpty {
            json["rootKeys"] = .array(
                record.rootKeys.sorted { $0.key < $1.key }.map { account, key in
                    ["account": .string(account), "id": .string(key.id), "secret": .string(key.secret)]
                })
        }
        if let token = record.token { json["token"] = .string(token) }
        if !record.ports.isEmpty { json["ports"] = .array(record.ports.map { .integer(Int64($0)) }) }
        if let file = record.seedFile { json["seed"] = .string(file.text.base64) }
        let owned = world(record.world)
        let left = previous.flatMap { ownFolder(of: name, $0) }.flatMap { $0 == owned ? nil : $0 }
        // The mark of a database that a description names has no effect.
        if let left { mark(left) }
        do { try File.write(JSONValue.object(json).serialized(), to: sandbox(name), mode: 0o600, isSynced: isSynced) } catch {
            if let left { unmark(left) }
            throw error
        }
        unmark(owned)
    }

    /// Removes the description of a sandbox. From now on the next process does not find it.
    /// - Parameter record: what is known of the sandbox. Its database is marked as unowned.
    /// - Throws: `FileError` if the description is still there, or `StorageError`.
    func remove(_ name: String, _ record: Sandbox.Record) throws {
        let left = ownFolder(of: name, record)
        if let left { mark(left) }
        guard unlink(sandbox(name)) == 0 || errno == ENOENT else {
            let failure = failure(of: sandbox(name))
            if let left { unmark(left) }
            throw failure
        }
        if isSynced, isKept { try DiskSync.sync("\(root)/sandboxes") }
    }

    private func failure(of path: String) -> FileError { FileError(path: path, reason: String(cString: strerror(errno))) }

    /// Returns why the database of a sandbox or a snapshot that exists cannot be used; `nil` if it can be opened.
    func fault(ofDatabase path: String) -> UnreadableDescription? {
        DatabaseBeginning(ofDatabase: path).fault.map { UnreadableDescription(path: path, reason: $0) }
    }

    /// The database in the folder of a world or a snapshot.
    func database(in folder: String) -> String { folder + "/" + DataFolder.databaseName }

    // MARK: Snapshots

    /// The prefix of a snapshot's folder while another snapshot replaces it.
    static let replacedPrefix = ".replaced-"

    /// Removes a snapshot. From now on the next process does not find it.
    /// - Parameter draft: a free path, to which the folder moves before its files are removed.
    /// - Returns: whether all its files are removed; the next process tries it again.
    /// - Throws: `FileError` if the snapshot is still there, or `StorageError`.
    func removeSnapshot(_ name: String, by draft: String) throws -> Bool {
        guard rename(snapshot(name), draft) == 0 || errno == ENOENT else { throw failure(of: snapshot(name)) }
        if isSynced { try DiskSync.sync("\(root)/snapshots") }
        return DataFolder.remove(draft)
    }

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
            try File.write(JSONValue.object(json).serialized(), to: "\(draft)/\(Self.snapshotDescription)", mode: 0o600)
        }
        if isSynced { try DiskSync.syncTree(draft) }
        // If the process is killed here, the next one finds either the old or the new snapshot.
        DataFolder.remove(replaced)
        guard rename(path, replaced) == 0 || errno == ENOENT, rename(draft, path) == 0 else {
            defer { rename(replaced, path) }
            throw failure(of: path)
        }
        do { if isSynced { try DiskSync.sync("\(root)/snapshots") } } catch {
            rename(path, draft)
            rename(replaced, path)
            throw error
        }
        DataFolder.remove(replaced)
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
    /// Why it cannot be used; `nil` if it can.
    var fault: UnreadableDescription?
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
