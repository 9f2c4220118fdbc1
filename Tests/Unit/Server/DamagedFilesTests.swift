import Cryptography
import Fixtures
import ObjectStore
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

/// What is not what a description says is never removed, and gets no replacement.
@Suite("Damaged files of sandboxes")
struct DamagedFilesTests {
    /// What happens to a database.
    enum Damage: String, CaseIterable, Sendable {
        case folderMissing, missing, empty, folder, link, pipe, log, logOfPipe

        /// Why the database cannot be used.
        var reason: String {
            switch self {
            case .folderMissing, .missing: "it does not exist"
            case .empty: "it is empty"
            case .folder, .pipe: "it is not a regular file"
            case .link: "its link leads to no file"
            case .log: "it is missing or empty, beside a write-ahead log"
            case .logOfPipe: "its write-ahead log is not a regular file"
            }
        }

        func apply(to folder: String) throws {
            let path = folder + "/virga.sqlite"
            if self != .logOfPipe { unlink(path) }
            switch self {
            case .missing: break
            case .folderMissing: DataFolder.remove(folder)
            case .empty: try File.write("", to: path, mode: 0o600)
            case .folder: mkdir(path, 0o700)
            case .link: symlink(folder + "/elsewhere", path)
            case .pipe: mkfifo(path, 0o600)
            case .log: try File.write("log", to: path + "-wal", mode: 0o600)
            case .logOfPipe: mkfifo(path + "-wal", 0o600)
            }
        }
    }

    private func withFiles(_ test: (SandboxFiles, String) throws -> Void) async throws {
        try await withTemporaryFolder { folder async throws in
            let files = SandboxFiles(root: folder, isKept: true)
            try files.makeFolders()
            try test(files, folder)
        }
    }

    private func makeDatabase(in folder: String) throws {
        mkdir(folder, 0o700)
        try File.write("x", to: folder + "/virga.sqlite", mode: 0o600)
    }

    private func make(_ name: String, world: Int, _ files: SandboxFiles) throws {
        try makeDatabase(in: files.world(world))
        try describe(name, world: world, files)
    }

    private func describe(_ name: String, world: Int?, _ files: SandboxFiles) throws {
        try files.write(Sandbox.Record(from: "seed", created: Timestamp(milliseconds: 5), world: world, seeds: []), of: name)
    }

    private func publish(_ name: String, _ files: SandboxFiles) throws {
        let draft = files.draft(name)
        try makeDatabase(in: draft)
        let snapshot = Snapshot(
            name: name, from: "a", created: Timestamp(milliseconds: 5), database: FrozenDatabase(path: draft + "/virga.sqlite"), seeds: [],
            ancestors: [])
        try files.publish(snapshot, from: draft)
    }

    @Test("A sandbox whose database is not there has a fault alone", arguments: Damage.allCases)
    func world(_ damage: Damage) async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            try make("b", world: 2, files)
            try damage.apply(to: files.world(1))
            let found = try files.sandboxes([])
            let fault = try #require(found["a"]?.fault)
            #expect(fault.path == files.world(1) + "/virga.sqlite")
            #expect(fault.reason == damage.reason)
            #expect(found["b"]?.fault == nil)
            #expect(DataFolder.isAbsent(files.world(1)) == (damage == .folderMissing))
            #expect(!fileExists(files.world(1) + "/elsewhere"))
        }
    }

    @Test("A snapshot whose database is not there has a fault alone, and its predecessor stays", arguments: Damage.allCases)
    func snapshot(_ damage: Damage) async throws {
        try await withFiles { files, folder throws in
            try publish("base", files)
            try publish("other", files)
            try makeDatabase(in: folder + "/snapshots/.replaced-base")
            // Without its folder there is no snapshot, and the predecessor is taken back.
            guard damage != .folderMissing else { return }
            try damage.apply(to: files.snapshot("base"))
            let found = try files.snapshots([])
            #expect(found["base"]?.fault?.path == files.snapshot("base") + "/virga.sqlite")
            #expect(found["base"]?.fault?.reason == damage.reason)
            #expect(found["other"]?.fault == nil)
            #expect(fileExists(folder + "/snapshots/.replaced-base/virga.sqlite"))
        }
    }

    @Test("The file of the default sandbox stays if its world is not there", arguments: Damage.allCases)
    func defaultSandbox(_ damage: Damage) async throws {
        try await withFiles { files, folder throws in
            try makeDatabase(in: folder)
            try make(SandboxName.defaultName, world: 1, files)
            try damage.apply(to: files.world(1))
            let error = #expect(throws: UnreadableDescription.self) { try files.sandboxes([]) }
            #expect(error?.reason == damage.reason)
            #expect(fileExists(folder + "/virga.sqlite"))
        }
    }

    @Test("A described default sandbox has a database")
    func defaultSandboxWithoutDatabase() async throws {
        try await withFiles { files, folder throws in
            try describe(SandboxName.defaultName, world: nil, files)
            try File.write("", to: folder + "/virga.sqlite", mode: 0o600)
            #expect(throws: UnreadableDescription.self) { try files.sandboxes([]) }
        }
    }

    @Test("Sandboxes are not forgotten while their descriptions are elsewhere", arguments: ["missing", "link"])
    func descriptionsElsewhere(damage: String) async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            rename(folder + "/sandboxes", folder + "/moved")
            if damage == "link" { symlink(folder + "/nowhere", folder + "/sandboxes") }
            let error = #expect(throws: StorageError.self) { try files.sandboxes([]) }
            #expect(error?.description.contains(folder + "/sandboxes") == true)
            #expect(fileExists(files.world(1) + "/virga.sqlite"))
        }
    }

    @Test("A start without any description removes no world", arguments: [true, false])
    func noDescriptions(isDefaultRestored: Bool) async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            try make(isDefaultRestored ? SandboxName.defaultName : "b", world: 2, files)
            rename(folder + "/sandboxes", folder + "/moved")
            mkdir(folder + "/sandboxes", 0o700)
            let error = #expect(throws: StorageError.self) { try files.sandboxes([]) }
            #expect(
                error?.description == """
                    The data folder \(folder)/sandboxes cannot be used: it has no description of a sandbox, but 'worlds' has states of \
                    sandboxes. Put its files back, or remove both.
                    """)
            for world in [1, 2] { #expect(fileExists(files.world(world) + "/virga.sqlite")) }
        }
    }

    @Test("A world whose description is lost stays")
    func lostDescription() async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            try make("b", world: 2, files)
            unlink(files.sandbox("b"))
            let found = try files.sandboxes([])
            #expect(Array(found.keys) == ["a"])
            #expect(try files.unnamedDatabases(besides: found) == [files.world(2) + "/virga.sqlite"])
        }
    }

    @Test(
        "A start without any world that is described is refused",
        arguments: [
            ("missing", "it does not exist, but 'sandboxes' has descriptions of sandboxes. Put it back, or remove both."),
            ("empty", "it has the state of no sandbox that 'sandboxes' describes. Put its files back, or remove both."),
            ("other", "it has the state of no sandbox that 'sandboxes' describes. Put its files back, or remove both."),
        ])
    func worldsElsewhere(damage: String, reason: String) async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            try make("b", world: 2, files)
            rename(folder + "/worlds", folder + "/moved")
            if damage != "missing" { mkdir(folder + "/worlds", 0o700) }
            if damage == "other" { try makeDatabase(in: files.world(3)) }
            let error = #expect(throws: StorageError.self) { try files.sandboxes([]) }
            #expect(error?.description == "The data folder \(folder)/worlds cannot be used: \(reason)")
        }
    }

    @Test("A description without a known world is no reason to refuse others")
    func unknownWorld() async throws {
        try await withFiles { files, folder throws in
            try makeDatabase(in: files.world(1))
            try File.write("{", to: files.sandbox("a"), mode: 0o600)
            #expect(try files.sandboxes([])["a"]?.fault != nil)
            DataFolder.remove(files.world(1))
            #expect(throws: StorageError.self) { try files.sandboxes([]) }
        }
    }

    @Test(
        "Beside worlds, the default sandbox is not replaced by a new one",
        arguments: [
            (DatabaseBeginning.absent, "it does not exist"), (.empty, "it is empty"),
            (.logAlone, "it is missing or empty, beside a write-ahead log"),
        ])
    func defaultDatabase(beginning: DatabaseBeginning, reason: String) async throws {
        try await withFiles { files, folder throws in
            #expect(try files.sandboxes([], root: beginning).isEmpty)
            try make("a", world: 1, files)
            let error = #expect(throws: UnreadableDescription.self) { try files.sandboxes([], root: beginning) }
            #expect(error?.path == folder + "/virga.sqlite")
            #expect(
                error?.reason
                    == "\(reason), but 'worlds' has states of sandboxes. Put it back, or remove 'sandboxes' and 'worlds' too")
            // After its first restore, its database is in a world.
            try make(SandboxName.defaultName, world: 2, files)
            #expect(try files.sandboxes([], root: beginning).count == 2)
        }
    }

    @Test("A folder with other files than a snapshot's is not removed, nor is a link", arguments: [true, false])
    func otherSnapshot(isLink: Bool) async throws {
        try await withFiles { files, folder throws in
            if isLink {
                mkdir(folder + "/elsewhere", 0o700)
                symlink(folder + "/elsewhere", files.snapshot("base"))
            } else {
                mkdir(files.snapshot("base"), 0o700)
                try makeDatabase(in: files.snapshot("base") + "/2026")
            }
            let fault = try files.snapshots([])["base"]?.fault
            #expect(fault?.description == "\(files.description(ofSnapshot: "base")) cannot be used: it does not exist")
            #expect(!DataFolder.isAbsent(files.snapshot("base")))
            if !isLink { #expect(fileExists(files.snapshot("base") + "/2026/virga.sqlite")) }
        }
    }

    @Test("A folder whose first start was interrupted can be read", arguments: [[], ["worlds"], ["worlds", "sandboxes"]])
    func interrupted(folders: [String]) async throws {
        try await withTemporaryFolder { folder async throws in
            for name in folders { mkdir("\(folder)/\(name)", 0o700) }
            let files = SandboxFiles(root: folder, isKept: true)
            #expect(try files.sandboxes([]).isEmpty)
            #expect(try files.snapshots([]).isEmpty)
        }
    }

    @Test("A snapshot whose link leads nowhere stays, and so does its predecessor")
    func snapshotElsewhere() async throws {
        try await withFiles { files, folder throws in
            symlink(folder + "/nowhere", files.snapshot("base"))
            try makeDatabase(in: folder + "/snapshots/.replaced-base")
            #expect(try files.snapshots([])["base"]?.fault != nil)
            #expect(!DataFolder.isAbsent(files.snapshot("base")))
            #expect(fileExists(folder + "/snapshots/.replaced-base/virga.sqlite"))
        }
    }

    @Test("A database of a snapshot without a description stays")
    func snapshotWithoutDescription() async throws {
        try await withFiles { files, folder throws in
            try publish("base", files)
            unlink(files.description(ofSnapshot: "base"))
            #expect(try files.snapshots([])["base"]?.fault?.path == files.description(ofSnapshot: "base"))
            #expect(fileExists(files.snapshot("base") + "/virga.sqlite"))
        }
    }

    @Test("Sandboxes with one world have faults, and removing one of them keeps it", arguments: ["b", SandboxName.defaultName])
    func sharedWorld(second: String) async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            try make("c", world: 2, files)
            try describe(second, world: 1, files)
            if second == SandboxName.defaultName {
                let error = #expect(throws: UnreadableDescription.self) { try files.sandboxes([]) }
                #expect(error?.reason == "several sandboxes have its 'world': 'a', 'default'")
            } else {
                let found = try files.sandboxes([])
                for name in ["a", second] {
                    #expect(found[name]?.fault?.reason == "several sandboxes have its 'world': 'a', 'b'")
                    #expect(found[name]?.ownWorld == nil)
                }
                #expect(found["c"]?.fault == nil)
                #expect(found["c"]?.ownWorld == 2)
            }
            #expect(fileExists(files.world(1) + "/virga.sqlite"))
            // Without the second description, the first one is right.
            unlink(files.sandbox(second))
            #expect(try files.sandboxes([])["a"]?.fault == nil)
        }
    }

    @Test(
        "A name that no caller can use is a fault",
        arguments: ["A B", "\u{E9}", "s3", "x-", String(repeating: "x", count: 41)])
    func name(name: String) async throws {
        try await withFiles { files, folder throws in
            try make(name, world: 1, files)
            try publish(name, files)
            #expect(try files.sandboxes([])[name]?.fault?.reason == "no sandbox can have its name")
            #expect(try files.snapshots([])[name]?.fault?.reason == "no snapshot can have its name")
            #expect(fileExists(files.world(1) + "/virga.sqlite"))
            #expect(fileExists(files.snapshot(name) + "/virga.sqlite"))
        }
    }

    @Test("A description that cannot be removed is told of")
    func removal() async throws {
        try await withFiles { files, folder throws in
            // A folder in its place cannot be unlinked, not even by root.
            mkdir(files.sandbox("a"), 0o700)
            let record = Sandbox.Record(from: "seed", created: Timestamp(milliseconds: 5), world: 1, seeds: [])
            #expect(throws: FileError.self) { try files.remove("a", record) }
            try files.remove("b", record)
        }
    }

    @Test("A snapshot that cannot be removed is told of")
    func snapshotRemoval() async throws {
        try await withFiles { files, folder throws in
            try publish("base", files)
            try makeDatabase(in: folder + "/occupied")
            #expect(throws: FileError.self) { try files.removeSnapshot("base", by: folder + "/occupied") }
            #expect(fileExists(files.snapshot("base") + "/virga.sqlite"))
            #expect(try files.removeSnapshot("base", by: files.draft("-1")))
            #expect(DataFolder.isAbsent(files.snapshot("base")))
            #expect(DataFolder.isAbsent(files.draft("-1")))
            #expect(try files.removeSnapshot("none", by: files.draft("-1")))
        }
    }

    @Test("A snapshot's draft has no name of a predecessor")
    func draftNames() async throws {
        try await withFiles { files, folder throws in
            #expect(files.draft("replaced-x") != folder + "/snapshots/" + SandboxFiles.replacedPrefix + "x")
        }
    }

    @Test("A file that is too large is refused before it is read")
    func largeFile() async throws {
        try await withFiles { files, folder throws in
            try make("a", world: 1, files)
            truncate(files.sandbox("a"), off_t(File.largest) + 1)
            #expect(try files.sandboxes([])["a"]?.fault?.reason == "it is larger than 128 MiB")
        }
    }

    @Test("A CA that cannot be read is named, and stays")
    func authority() async throws {
        try await withFiles { files, folder throws in
            let path = folder + "/tls-authority.pem"
            try File.write("", to: path, mode: 0o600)
            let error = #expect(throws: FileError.self) { try CertificateAuthority.kept(in: folder) }
            #expect(error?.path == path)
            #expect(try File.read(path) == "")
        }
    }
}
