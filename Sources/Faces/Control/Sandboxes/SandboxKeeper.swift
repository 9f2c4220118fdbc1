package import Cloud
package import ObjectStore
package import Seeds
package import WireFormats

/// Keeps the sandboxes and snapshots of the process. The composition root implements it, because a face knows one sandbox only.
package protocol SandboxKeeper: Sendable {
    /// The URLs of the listeners, except those of sandboxes.
    var endpoints: [String] { get }
    /// Returns every sandbox, the default one first.
    func sandboxes() -> [SandboxDescription]
    /// Creates a sandbox.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    func create(_ order: SandboxOrder) async throws -> CreatedSandbox
    /// Removes a sandbox.
    /// - Throws: ``SandboxRefusal``.
    func delete(_ name: String) async throws
    /// Puts a snapshot's state in place of a sandbox's state, under the same name and at the same address. Requests that are being answered
    /// finish on the old state.
    /// - Parameter keepsFaults: whether the rules for errors on demand stay.
    /// - Throws: ``SandboxRefusal``, or an error of the storage; then the sandbox is unchanged.
    func restore(_ name: String, from snapshot: String, keepsFaults: Bool) async throws

    /// Keeps the text of a seed that was loaded into a sandbox, so that resets apply it after a restart as well.
    /// - Parameter cloud: the present cloud of the sandbox.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    func keepSeed(_ seed: SeedFile, of cloud: Cloud) async throws

    /// Returns the present cloud of a sandbox, which a restore replaces.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    func cloud(of name: String) async throws -> Cloud
    /// Reads the journals of the open sandboxes, and returns the progress of each sandbox that was read so far.
    func progress() -> [String: SandboxProgress]
    /// The class of the process.
    var classroom: Classroom { get }

    /// Returns every snapshot.
    func snapshots() -> [SnapshotDescription]
    /// Takes a snapshot of a sandbox.
    /// - Parameter replaces: whether it may take the place of a snapshot of the same name.
    /// - Throws: ``SandboxRefusal``, or an error of the storage.
    func takeSnapshot(of sandbox: String, named name: String, replaces: Bool) async throws -> SnapshotDescription
    /// Removes a snapshot. Sandboxes that were made from it remain.
    /// - Throws: ``SandboxRefusal``.
    func deleteSnapshot(_ name: String) async throws
    /// Returns the database of a snapshot, for export.
    /// - Throws: ``SandboxRefusal``.
    func snapshotFile(_ name: String) throws -> FrozenDatabase
    /// Makes a snapshot of an exported database.
    /// - Parameter write: writes the file at the path that it receives.
    /// - Throws: ``SandboxRefusal`` if the file is not the database of a sandbox, an error of the storage, or what `write` throws.
    func importSnapshot(_ name: String, _ write: @Sendable (_ path: String) async throws -> Void) async throws -> SnapshotDescription
}

/// A sandbox to create.
package struct SandboxOrder: Sendable {
    /// What a sandbox is made from.
    package enum Origin: Sendable {
        /// An empty cloud.
        case nothing
        /// The seeds of the process.
        case seeds
        /// A seed of its own, with its text.
        case seed(SeedFile)
        /// A snapshot, or the present state of a sandbox.
        case named(String)
    }

    /// The name; `nil` for a name made from ``prefix``.
    package var name: String?
    /// The beginning of a name that the process chooses.
    package var prefix = "sandbox"
    /// What it is made from.
    package var origin = Origin.seeds
    /// Whether it gets a port of its own.
    package var hasPort = false
    /// After how many seconds it is removed; `nil` for never.
    package var lifetime: Int64?
    /// Whether its root access keys are random instead of those of the seed.
    package var hasRandomRoot = false
    /// Whether it gets the rules for errors on demand of the sandbox that it copies or replaces.
    package var copiesFaults = false
    /// Whether it may take the place of a sandbox of the same name.
    package var replaces = false

    package init() {}
}

/// What a sandbox is and how to reach it.
package struct SandboxDescription: Sendable {
    /// Whether the database is open.
    package enum State: String, Sendable {
        case open, evicted
    }

    /// The name.
    package var name: String
    /// Whether its database is open.
    package var state: State
    /// The snapshot, sandbox or seed that it was made from.
    package var from: String
    /// When it was made.
    package var created: Timestamp
    /// When it last answered a request; `nil` if it has not.
    package var used: Timestamp?
    /// When it will be removed.
    package var expires: Timestamp?
    /// The size of its database in bytes.
    package var bytes: Int64
    /// The URL with its name.
    package var url: String
    /// The URL of its own port for plain HTTP.
    package var portURL: String?
    /// The URL of its own port for HTTP over TLS.
    package var securePortURL: String?

    package init(
        name: String, state: State, from: String, created: Timestamp, used: Timestamp?, expires: Timestamp?, bytes: Int64, url: String,
        portURL: String?, securePortURL: String?
    ) {
        self.name = name
        self.state = state
        self.from = from
        self.created = created
        self.used = used
        self.expires = expires
        self.bytes = bytes
        self.url = url
        self.portURL = portURL
        self.securePortURL = securePortURL
    }
}

/// A sandbox that was just created, with the secrets that only this answer has.
package struct CreatedSandbox: Sendable {
    /// The sandbox.
    package var description: SandboxDescription
    /// Opens the sandbox's own control calls; `nil` if the process needs no token.
    package var token: String?
    /// The root access key of its first account of AWS; `nil` if the seed has none.
    package var rootKey: (id: String, secret: String)?
    /// Whether it took the place of another one.
    package var isReplacement: Bool

    package init(description: SandboxDescription, token: String?, rootKey: (id: String, secret: String)?, isReplacement: Bool) {
        self.description = description
        self.token = token
        self.rootKey = rootKey
        self.isReplacement = isReplacement
    }
}

/// What a snapshot is.
package struct SnapshotDescription: Sendable {
    /// The name.
    package var name: String
    /// The sandbox that it shows.
    package var from: String
    /// When it was taken.
    package var created: Timestamp
    /// The size in bytes.
    package var bytes: Int64

    package init(name: String, from: String, created: Timestamp, bytes: Int64) {
        self.name = name
        self.from = from
        self.created = created
        self.bytes = bytes
    }
}

/// Why a call about sandboxes is refused.
package enum SandboxRefusal: Error, Sendable, Equatable {
    /// The name breaks the rules for names.
    case invalidName(String)
    /// The name has another meaning.
    case reservedName(String)
    case noSuchSandbox(String)
    /// There is no such sandbox, and requests like this one create none.
    case notOnDemand(String)
    /// The sandbox is evicted, and pages of other sites do not open it.
    case notOpened(String)
    case noSuchSnapshot(String)
    case noSuchOrigin(String)
    case sandboxExists(String)
    case snapshotExists(String)
    /// There are as many sandboxes as the process may have.
    case tooMany(limit: Int)
    /// There is no sandbox whose rules for errors on demand could be copied.
    case noFaults
    /// Every port of the range is taken.
    case noPortLeft(range: String)
    /// A port would use descriptors that are kept for other uses.
    case noDescriptorLeft
    /// The call cannot be made for the default sandbox.
    case isDefault
    /// The files of the sandbox cannot be used.
    case sandboxFailed(String)
    /// The files of the snapshot cannot be used.
    case snapshotFailed(String)
    /// A file that is not the database of a sandbox of this version.
    case invalidFile(String)
    /// The process is being drained.
    case draining
    /// The process is about to stop.
    case stopping
}
