import Fixtures
import ObjectStore
import Seeds
import Testing
import WireFormats

@testable import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("The files of sandboxes")
struct SandboxFilesTests {
    private func withFiles(isKept: Bool = true, _ test: (SandboxFiles, String) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let files = SandboxFiles(root: folder, isKept: isKept, isSynced: isKept)
            try files.makeFolders()
            try files.makeFolders()
            try test(files, folder)
        }
    }

    private func makeDatabase(in folder: String, _ text: String = "x") throws {
        mkdir(folder, 0o700)
        try File.write(text, to: folder + "/virga.sqlite", mode: 0o600)
    }

    private func record(world: Int?) -> Sandbox.Record {
        var record = Sandbox.Record(
            from: "base", created: Timestamp(milliseconds: 1_700_000_000_123), expires: Timestamp(milliseconds: 1_700_000_100_000),
            world: world, seeds: [])
        (record.ancestors, record.token, record.ports) = (["template", "default"], "secret", [4600, 4601])
        record.seedFile = SeedFile(name: "seed", text: Array("{}".utf8))
        return record
    }

    @Test("say of a sandbox what the next process needs, and only to their owner")
    func sandboxes() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: files.world(3))
            try files.write(record(world: 3), of: "a")
            #expect(permissions(of: folder + "/sandboxes/a.json") == 0o600)
            let found = try #require(try files.sandboxes([])["a"])
            #expect(found.from == "base")
            #expect(found.created.milliseconds == 1_700_000_000_123)
            #expect(found.world == 3)
            #expect(found.expires?.milliseconds == 1_700_000_100_000)
            #expect(found.ancestors == ["template", "default"])
            #expect(found.token == "secret")
            #expect(found.ports == [4600, 4601])
            #expect(found.seeds.count == 1)
            #expect(found.seedFile?.text == Array("{}".utf8))
            #expect(fileExists(files.world(3) + "/virga.sqlite"))
            try makeDatabase(in: files.world(4))
            try files.write(record(world: 4), of: "b")
            try files.remove("a", found)
            #expect(try Array(files.sandboxes([]).keys) == ["b"])
            #expect(!fileExists(files.world(3)))
        }
    }

    @Test("that a process left are removed, and what no process has made stays")
    func leftovers() async throws {
        try await withFiles { files, folder in
            for world in [1, 2] { try files.makeWorld(world) }
            for name in ["1", "2", "3", ".3", "other"] { try makeDatabase(in: folder + "/worlds/" + name) }
            mkdir(files.world(4), 0o700)
            try files.write(record(world: 1), of: "a")
            let drafts = ["sandboxes/c.json.draft-123", "tls-authority.pem.draft-123"]
            let others = ["sandboxes/notes.draft-123", "tls-authority.pem", "notes.json.draft-123", "sandboxes/a.json.20261128"]
            for name in drafts + others { try File.write("{}", to: "\(folder)/\(name)", mode: 0o600) }
            let found = try files.sandboxes([])
            #expect(Array(found.keys) == ["a"])
            for name in ["2", "4"] { #expect(!fileExists(folder + "/worlds/" + name), "\(name)") }
            for name in ["1", "3", ".3", "other"] { #expect(fileExists(folder + "/worlds/" + name), "\(name)") }
            #expect(try files.unnamedDatabases(besides: found) == [files.world(3) + "/virga.sqlite"])
            for name in drafts { #expect(!fileExists("\(folder)/\(name)"), "\(name)") }
            for name in others { #expect(fileExists("\(folder)/\(name)"), "\(name)") }
        }
    }

    @Test(
        "A description that cannot be read removes nothing",
        arguments: [
            "", "{", "[]", "{}", #"{"created":1}"#, #"{"created":1,"world":"2"}"#, #"{"created":1,"world":0}"#,
            #"{"created":1,"world":9223372036854775807}"#, #"{"created":1,"world":-9223372036854775808}"#,
        ])
    func unreadableDescription(text: String) async throws {
        try await withFiles { files, folder in
            try files.makeWorld(2)
            for world in [1, 2] { try makeDatabase(in: files.world(world)) }
            try files.write(record(world: 1), of: "a")
            try File.write(text, to: folder + "/sandboxes/b.json", mode: 0o600)
            let found = try files.sandboxes([])
            #expect(found["a"]?.fault == nil)
            let fault = try #require(found["b"]?.fault)
            #expect(fault.description.hasPrefix(folder + "/sandboxes/b.json cannot be used: "))
            for world in [1, 2] { #expect(fileExists(files.world(world))) }
            // A new sandbox does not get the folder of another one.
            #expect(try files.lastWorld(of: found) == 2)
            #expect(try files.unnamedDatabases(besides: found) == [])
        }
    }

    @Test(
        "A sandbox whose world is known has a fault alone",
        arguments: [
            #"{"world":2}"#, #"{"world":2,"created":"now"}"#, #"{"world":2,"created":1,"token":1}"#,
            #"{"world":2,"created":1,"ports":[-1]}"#,
            #"{"world":2,"created":1,"seed":"?"}"#, #"{"world":2,"created":1,"seed":"eyJub25zZW5zZSI6MX0="}"#,
        ])
    func fault(text: String) async throws {
        try await withFiles { files, folder in
            try files.makeWorld(3)
            for world in [1, 2, 3] { try makeDatabase(in: files.world(world)) }
            try files.write(record(world: 1), of: "a")
            try File.write(text, to: folder + "/sandboxes/b.json", mode: 0o600)
            let found = try files.sandboxes([])
            #expect(found["a"]?.fault == nil)
            #expect(found["b"]?.fault != nil)
            #expect(found["b"]?.world == 2)
            for world in [1, 2] { #expect(fileExists(files.world(world))) }
            #expect(!fileExists(files.world(3)))
        }
    }

    @Test("A folder that cannot be read removes no world")
    func unreadableFolder() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: files.world(1))
            rmdir(folder + "/sandboxes")
            try File.write("", to: folder + "/sandboxes", mode: 0o600)
            #expect(throws: StorageError.self) { try files.sandboxes([]) }
            #expect(fileExists(files.world(1)))
        }
    }

    @Test("The default sandbox must have a description that can be read")
    func unreadableDefault() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: folder)
            try File.write("{", to: folder + "/sandboxes/default.json", mode: 0o600)
            let error = #expect(throws: UnreadableDescription.self) { try files.sandboxes([]) }
            #expect(error?.path == folder + "/sandboxes/default.json")
            #expect(fileExists(folder + "/virga.sqlite"))
        }
    }

    @Test("The file of the default sandbox is removed after its first restore only")
    func defaultSandbox() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: folder)
            _ = try files.sandboxes([])
            #expect(fileExists(folder + "/virga.sqlite"))
            try makeDatabase(in: files.world(1))
            try files.write(record(world: 1), of: SandboxName.defaultName, replacing: record(world: nil))
            let found = try files.sandboxes([])
            #expect(!fileExists(folder + "/virga.sqlite"))
            #expect(fileExists(files.world(1) + "/virga.sqlite"))
            // A later file at the root is not one that a process left, unless it is the empty one of the lock.
            try makeDatabase(in: folder)
            _ = try files.sandboxes([])
            #expect(try files.unnamedDatabases(besides: found) == [folder + "/virga.sqlite"])
            try makeDatabase(in: folder, "")
            _ = try files.sandboxes([])
            #expect(try files.unnamedDatabases(besides: found) == [])
        }
    }

    @Test(
        "A process that is killed while it replaces a state leaves the one that the description names",
        arguments: [1, 2], ["a", SandboxName.defaultName])
    func killed(described: Int, name: String) async throws {
        try await withFiles { files, folder in
            for (world, name) in [(1, name), (3, "b")] {
                try makeDatabase(in: files.world(world))
                try files.write(record(world: world), of: name)
            }
            try files.makeWorld(2)
            try makeDatabase(in: files.world(2))
            files.mark(files.world(1))
            if described == 2 { try files.write(record(world: 2), of: name, replacing: record(world: 1)) }
            #expect(try files.sandboxes([])[name]?.world == described)
            #expect(!fileExists(files.world(3 - described)))
            #expect(try DataFolder.allNames(in: files.world(described)) == ["virga.sqlite"])
        }
    }

    @Test("A process that is killed during its first creation can start again, and its world is removed once there is a sandbox")
    func firstCreation() async throws {
        try await withFiles { files, folder in
            try files.makeWorld(1)
            try makeDatabase(in: files.world(1))
            #expect(try files.sandboxes([]).isEmpty)
            try makeDatabase(in: files.world(2))
            try files.write(record(world: 2), of: "a")
            #expect(try Array(files.sandboxes([]).keys) == ["a"])
            #expect(!fileExists(files.world(1)))
        }
    }

    @Test("A description that cannot be written leaves no mark on the previous state")
    func unwritableDescription() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: files.world(1))
            // A folder in the place of the description cannot be replaced or unlinked, not even by root.
            mkdir(files.sandbox("a"), 0o700)
            #expect(throws: FileError.self) { try files.write(record(world: 2), of: "a", replacing: record(world: 1)) }
            #expect(try DataFolder.allNames(in: files.world(1)) == ["virga.sqlite"])
            #expect(throws: FileError.self) { try files.remove("a", record(world: 1)) }
            #expect(try DataFolder.allNames(in: files.world(1)) == ["virga.sqlite"])
        }
    }

    private func publish(_ name: String, _ text: String, from draft: String, _ files: SandboxFiles) throws {
        try makeDatabase(in: draft, text)
        let snapshot = Snapshot(
            name: name, from: "a", created: Timestamp(milliseconds: 5), database: FrozenDatabase(path: draft + "/virga.sqlite"), seeds: [],
            ancestors: ["a"])
        try files.publish(snapshot, from: draft)
    }

    @Test("A snapshot is there when it is published, and takes the place of another one")
    func snapshots() async throws {
        try await withFiles { files, folder in
            try publish("base", "first", from: files.draft("base"), files)
            #expect(try File.read(files.snapshot("base") + "/virga.sqlite") == "first")
            try publish("base", "second", from: files.draft("draft-1"), files)
            let found = try #require(try files.snapshots([])["base"])
            #expect(try File.read(found.database.path) == "second")
            #expect(found.from == "a")
            #expect(found.created.milliseconds == 5)
            #expect(found.ancestors == ["a"])
            #expect(!fileExists(files.draft("draft-1")))
            #expect(!fileExists(folder + "/snapshots/.replaced-base"))
        }
    }

    @Test("Incomplete snapshots are removed, and one whose replacement was not finished is taken back")
    func incompleteSnapshots() async throws {
        try await withFiles { files, folder in
            try makeDatabase(in: files.draft("1"))
            mkdir(files.snapshot("half"), 0o700)
            try publish("base", "first", from: files.draft("base"), files)
            rename(files.snapshot("base"), folder + "/snapshots/.replaced-base")
            try publish("other", "first", from: files.draft("other"), files)
            try makeDatabase(in: folder + "/snapshots/.replaced-other", "older")
            // No process has made it.
            try makeDatabase(in: folder + "/snapshots/.hourly")
            let found = try files.snapshots([])
            #expect(Set(found.keys) == ["base", "other"])
            #expect(try found.values.allSatisfy { try File.read($0.database.path) == "first" })
            #expect(files.draft("1") == folder + "/snapshots/.draft-1")
            #expect(fileExists(folder + "/snapshots/.hourly/virga.sqlite"))
            for name in [".draft-1", "half", ".replaced-base", ".replaced-other"] {
                #expect(!fileExists(folder + "/snapshots/" + name), "\(name)")
            }
        }
    }

    @Test(
        "A snapshot whose description cannot be read stays, and so does its predecessor",
        arguments: ["", "{", "{}", #"{"created":"now"}"#])
    func unreadableSnapshot(text: String) async throws {
        try await withFiles { files, folder in
            try publish("base", "first", from: files.draft("base"), files)
            try publish("other", "first", from: files.draft("other"), files)
            try makeDatabase(in: folder + "/snapshots/.replaced-base", "older")
            try File.write(text, to: files.snapshot("base") + "/snapshot.json", mode: 0o600)
            let found = try files.snapshots([])
            let fault = try #require(found["base"]?.fault)
            #expect(fault.path == files.snapshot("base") + "/snapshot.json")
            #expect(found["other"]?.fault == nil)
            for name in ["base", ".replaced-base"] { #expect(fileExists("\(folder)/snapshots/\(name)/virga.sqlite"), "\(name)") }
        }
    }

    @Test("An ephemeral process writes no descriptions")
    func ephemeral() async throws {
        try await withFiles(isKept: false) { files, folder in
            try files.write(record(world: 1), of: "a")
            try publish("base", "first", from: files.draft("base"), files)
            #expect(!fileExists(folder + "/sandboxes/a.json"))
            #expect(!fileExists(files.snapshot("base") + "/snapshot.json"))
            try files.makeWorld(1)
            #expect(try DataFolder.allNames(in: files.world(1)) == [])
            #expect(fileExists(files.snapshot("base") + "/virga.sqlite"))
        }
    }
}
