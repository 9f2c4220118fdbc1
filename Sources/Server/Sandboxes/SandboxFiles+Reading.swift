import Cryptography
import Directory
import ObjectStore
import Policy
import Seeds
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Why the sandbox or the snapshot of a description cannot be used. The others of the process can.
struct UnreadableDescription: Error, CustomStringConvertible {
    /// The file that cannot be used: the description or the database.
    var path: String
    /// The reason.
    var reason: String
    /// Whether descriptions of other sandboxes name the same world, which stays when one of them is removed.
    var isOfSharedWorld = false

    var description: String { "\(path) cannot be used: \(reason)" }
}

/// What the files of an earlier process say at the start.
extension SandboxFiles {
    // MARK: Sandboxes

    /// Returns the sandboxes of an earlier process, and removes files that it left.
    ///
    /// A sandbox whose description or database cannot be used has a fault. If its world is not known, no world is removed.
    /// - Parameters:
    ///   - seeds: the seeds of the process.
    ///   - dialect: the dialect of the policies in other seeds.
    ///   - beginning: what the database in the data folder itself was.
    /// - Throws: `UnreadableDescription` if the default sandbox has a fault, or `StorageError` if a folder cannot be read or is not the one of
    ///   the earlier process. Nothing is removed then.
    func sandboxes(
        _ seeds: [Seed], _ dialect: PolicyDialect = .aws, root beginning: DatabaseBeginning = .present
    ) throws -> [String: Sandbox.Record] {
        var found: [String: Sandbox.Record] = [:]
        for entry in try DataFolder.allNames(in: "\(root)/sandboxes") where entry.hasSuffix(".json") && !entry.hasPrefix(".") {
            let name = String(entry.dropLast(".json".count))
            found[name] = record(of: name, seeds, dialect)
        }
        markSharedWorlds(in: &found)
        if let fault = found[SandboxName.defaultName]?.fault { throw fault }
        let worlds = try worldNumbers()
        try checkTogether(found, worlds)
        if found[SandboxName.defaultName]?.world == nil, !worlds.isEmpty, let fault = beginning.fault {
            throw UnreadableDescription(
                path: database(in: root),
                reason: "\(fault), but 'worlds' has states of sandboxes. Put it back, or remove 'sandboxes' and 'worlds' too")
        }
        File.removeDrafts(in: root) { $0 == CertificateAuthority.fileName }
        File.removeDrafts(in: "\(root)/sandboxes") { $0.hasSuffix(".json") }
        removeUnowned(besides: found, worlds)
        return found
    }

    /// Checks that `sandboxes` and `worlds` belong together. One of them may be on a disk that is not mounted, or be taken from elsewhere.
    private func checkTogether(_ found: [String: Sandbox.Record], _ worlds: [Int]) throws(StorageError) {
        let advice = "Put it back, or remove both"
        // A process makes both folders before the first world, and leaves them.
        if !worlds.isEmpty, DataFolder.isAbsent("\(root)/sandboxes") {
            throw .unusableFolder(
                path: "\(root)/sandboxes", reason: "it does not exist, but 'worlds' has states of sandboxes. \(advice)")
        }
        if found.isEmpty, worlds.contains(where: isOfSandbox) {
            throw .unusableFolder(
                path: "\(root)/sandboxes",
                reason: "it has no description of a sandbox, but 'worlds' has states of sandboxes. Put its files back, or remove both")
        }
        let named = Set(found.values.compactMap(\.world))
        let isThere = named.isEmpty ? !worlds.isEmpty : !named.isDisjoint(with: worlds)
        if !isThere, found.contains(where: { $0.key != SandboxName.defaultName || $0.value.world != nil }) {
            let isAbsent = DataFolder.isAbsent("\(root)/worlds")
            throw .unusableFolder(
                path: "\(root)/worlds",
                reason: isAbsent
                    ? "it does not exist, but 'sandboxes' has descriptions of sandboxes. \(advice)"
                    : "it has the state of no sandbox that 'sandboxes' describes. Put its files back, or remove both")
        }
    }

    /// The numbers of the worlds that have a folder.
    func worldNumbers() throws(StorageError) -> [Int] { try DataFolder.allNames(in: "\(root)/worlds").compactMap(Self.number(ofWorld:)) }

    /// Gives each sandbox whose world another one has too a fault: removing one of them would remove the state of the other.
    private func markSharedWorlds(in found: inout [String: Sandbox.Record]) {
        let byWorld = Dictionary(grouping: found, by: \.value.world)
        for (world, records) in byWorld where world != nil && records.count > 1 {
            let names = records.map(\.key)
            let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
            for name in names {
                found[name]?.fault = UnreadableDescription(
                    path: sandbox(name), reason: "several sandboxes have its 'world': \(list)", isOfSharedWorld: true)
            }
        }
    }

    /// The greatest number of a world that has a folder or a sandbox; 0 if there is none.
    func lastWorld(of sandboxes: [String: Sandbox.Record]) throws(StorageError) -> Int {
        max(try worldNumbers().max() ?? 0, sandboxes.values.compactMap(\.world).max() ?? 0)
    }

    /// The numbers of worlds. The process can add one to each of them.
    private static let worlds: ClosedRange<Int64> = 1...(1 << 40)

    /// Returns the number of the world in a folder of `worlds`; `nil` for a name that no world has.
    private static func number(ofWorld entry: String) -> Int? {
        guard let number = Int64(entry), worlds.contains(number), "\(number)" == entry else { return nil }
        return Int(number)
    }

    private static func rootKey(_ json: JSONValue, _ created: Timestamp) -> (String, AccessKey)? {
        guard let account = json["account"]?.stringValue, let id = json["id"]?.stringValue, let secret = json["secret"]?.stringValue else {
            return nil
        }
        return (account, AccessKey(id: id, secret: secret, created: created))
    }

    private func record(of name: String, _ seeds: [Seed], _ dialect: PolicyDialect) -> Sandbox.Record {
        let path = sandbox(name)
        var record = Sandbox.Record(from: "", created: Timestamp(milliseconds: 0), seeds: seeds)
        do throws(UnreadableDescription) {
            let members = try DescriptionReader(path)
            let world = try members.integer("world")
            guard world.map(Self.worlds.contains) ?? (name == SandboxName.defaultName) else {
                throw members.fault(world == nil ? "it has no 'world'" : "its 'world' is no number of a world")
            }
            // Everything else can be wrong, and the world is known.
            record.world = world.map { Int($0) }
            (record.from, record.created) = (try members.text("from") ?? "", try members.created)
            record.expires = try members.integer("expires").map(Timestamp.init(stored:))
            record.token = try members.text("token")
            let keys = try members.list("rootKeys") { [created = record.created] in Self.rootKey($0, created) }
            record.rootKeys = Dictionary(keys) { $1 }
            record.ports = try members.list("ports") { $0.integerValue.flatMap { UInt16(exactly: $0) } }.map { Int($0) }
            record.ancestors = Set(try members.list("ancestors", of: \.stringValue))
            if let seed = try members.seed(dialect) { (record.seedFile, record.seeds) = (seed.file, [seed.seed]) }
            if name != SandboxName.defaultName, !SandboxName.isFree(name) { throw members.fault("no sandbox can have its name") }
            if let fault = fault(ofDatabase: database(in: self.world(record.world))) { throw fault }
        } catch {
            record.fault = error
        }
        return record
    }

    // MARK: Snapshots

    /// Restores the snapshots whose replacement was not finished.
    private func takeBackReplaced(_ entries: [String]) {
        for entry in entries where entry.hasPrefix(Self.replacedPrefix) {
            let path = snapshot(String(entry.dropFirst(Self.replacedPrefix.count)))
            if DataFolder.isAbsent(path) { rename(snapshot(entry), path) }
        }
    }

    /// Returns the snapshots of an earlier process, and removes its drafts. A snapshot whose description or database cannot be used has a fault.
    /// - Throws: `StorageError` if the folder cannot be read.
    func snapshots(_ seeds: [Seed], _ dialect: PolicyDialect = .aws) throws -> [String: Snapshot] {
        takeBackReplaced(try DataFolder.allNames(in: "\(root)/snapshots"))
        var found: [String: Snapshot] = [:]
        let entries = try DataFolder.allNames(in: "\(root)/snapshots")
        for name in entries where !name.hasPrefix(".") {
            found[name] = snapshot(named: name, seeds, dialect)
        }
        for entry in entries {
            if entry.hasPrefix(Self.replacedPrefix) {
                // The predecessor of a snapshot that cannot be used stays.
                guard let successor = found[String(entry.dropFirst(Self.replacedPrefix.count))], successor.fault == nil else { continue }
                DataFolder.remove(snapshot(entry))
            } else if entry.hasPrefix(Self.draftPrefix) {
                DataFolder.remove(snapshot(entry))
            }
        }
        return found
    }

    /// Returns a snapshot; `nil` for an empty folder, which is removed, and for files with a name that no snapshot has.
    private func snapshot(named name: String, _ seeds: [Seed], _ dialect: PolicyDialect) -> Snapshot? {
        var snapshot = Snapshot(
            name: name, from: "", created: Timestamp(milliseconds: 0),
            database: FrozenDatabase(path: self.snapshot(name) + "/" + DataFolder.databaseName), seeds: seeds, ancestors: [])
        let path = description(ofSnapshot: name)
        do throws(UnreadableDescription) {
            let files: [String]
            do throws(StorageError) { files = try DataFolder.allNames(in: self.snapshot(name)) } catch {
                throw UnreadableDescription(path: path, reason: "\(error)")
            }
            if !files.contains(Self.snapshotDescription), !files.contains(DataFolder.databaseName) {
                // An empty folder can be removed in this way, but nothing else: no link to a folder either.
                if !SandboxName.hasForm(name) || rmdir(self.snapshot(name)) == 0 { return nil }
                throw UnreadableDescription(path: path, reason: "it does not exist")
            }
            let members = try DescriptionReader(path)
            (snapshot.from, snapshot.created) = (try members.text("from") ?? "", try members.created)
            snapshot.ancestors = Set(try members.list("ancestors", of: \.stringValue))
            if let seed = try members.seed(dialect) { (snapshot.seedFile, snapshot.seeds) = (seed.file, [seed.seed]) }
            guard SandboxName.isFree(name) else { throw members.fault("no snapshot can have its name") }
            if let fault = fault(ofDatabase: database(in: self.snapshot(name))) { throw fault }
        } catch {
            snapshot.fault = error
        }
        return snapshot
    }
}

/// The members of a description. A member of another kind than the process writes is a fault, and not a missing member.
private struct DescriptionReader {
    private let path: String
    private let json: JSONObject

    init(_ path: String) throws(UnreadableDescription) {
        self.path = path
        func fault(_ reason: String) -> UnreadableDescription { UnreadableDescription(path: path, reason: reason) }
        let text: String?
        do throws(FileError) { text = try File.read(path) } catch { throw fault(error.reason) }
        guard let text else { throw fault("it leads to no file") }
        guard !text.isEmpty else { throw fault("it is empty") }
        let value: JSONValue
        do throws(JSONSyntaxError) { value = try JSONValue(parsing: text) } catch { throw fault("it is not JSON: \(error)") }
        guard let json = value.objectValue else { throw fault("it is no JSON object") }
        self.json = json
    }

    func fault(_ reason: String) -> UnreadableDescription { UnreadableDescription(path: path, reason: reason) }

    private func member<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(UnreadableDescription) -> Value? {
        guard let member = json[name] else { return nil }
        guard let value = read(member) else { throw fault("its '\(name)' has another form") }
        return value
    }

    func text(_ name: String) throws(UnreadableDescription) -> String? { try member(name, \.stringValue) }

    func integer(_ name: String) throws(UnreadableDescription) -> Int64? { try member(name, \.integerValue) }

    /// Returns a list; an empty one if there is none.
    func list<Value>(_ name: String, of read: (JSONValue) -> Value?) throws(UnreadableDescription) -> [Value] {
        try member(name) { member in
            guard let list = member.arrayValue else { return nil }
            let values = list.compactMap(read)
            return values.count == list.count ? values : nil
        } ?? []
    }

    /// When the sandbox or the snapshot was made, which each description says.
    var created: Timestamp {
        get throws(UnreadableDescription) {
            guard let created = try integer("created") else { throw fault("it has no 'created'") }
            return Timestamp(stored: created)
        }
    }

    /// Returns the seed of its own, if it has one.
    func seed(_ dialect: PolicyDialect) throws(UnreadableDescription) -> (file: SeedFile, seed: Seed)? {
        guard let text = try member("seed", { $0.stringValue.flatMap { [UInt8](base64: $0) } }) else { return nil }
        let file = SeedFile(name: "seed", text: text)
        do { return (file, try file.decode(dialect)) } catch { throw fault("its 'seed' is refused: \(error)") }
    }
}
