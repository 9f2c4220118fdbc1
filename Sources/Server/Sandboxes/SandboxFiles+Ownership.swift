import ObjectStore
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which databases the start of a process may remove: those that an earlier process has marked.
///
/// A process marks the folder of a database when it makes it, and again before it replaces or removes the description that names it. It removes
/// the mark once a description names the database. So databases that a killed process left have a mark, and databases whose descriptions are
/// lost, replaced by older ones or not mounted have none.
extension SandboxFiles {
    /// Creates the folder of a world that no sandbox has yet.
    func makeWorld(_ number: Int) throws(StorageError) {
        _ = try DataFolder(unlocked: world(number))
        mark(world(number))
    }

    func removeWorld(_ number: Int) { DataFolder.removeWithDatabase(world(number)) }

    /// The folder of a sandbox's database; `nil` if it is not known, or if other sandboxes have it too.
    func ownFolder(of name: String, _ record: Sandbox.Record) -> String? {
        name == SandboxName.defaultName ? world(record.world) : record.ownWorld.map(world)
    }

    private func markPath(_ folder: String) -> String { "\(folder)/\(DataFolder.unownedName)" }

    /// Marks the database in a folder as one that no sandbox has. Without the mark, which a full disk may prevent, it would only stay.
    func mark(_ folder: String) {
        guard isKept else { return }
        let file = open(markPath(folder), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if file >= 0 { close(file) }
    }

    /// Removes the mark of a database that a description names. If the mark returns after a power failure, the next start removes it.
    func unmark(_ folder: String) {
        if unlink(markPath(folder)) == 0, isSynced { try? DiskSync.sync(folder) }
    }

    private func isMarked(_ folder: String) -> Bool { access(markPath(folder), F_OK) == 0 }

    /// Returns whether the folder of a world has files, and not the mark of those that no sandbox has.
    func isOfSandbox(_ world: Int) -> Bool {
        !isMarked(self.world(world)) && !DataFolder.names(in: self.world(world)).isEmpty
    }

    /// Removes the databases that an earlier process left.
    ///
    /// Besides its mark, that needs readable descriptions, of which none names it.
    /// - Parameters:
    ///   - sandboxes: what the descriptions say.
    ///   - worlds: the numbers of the worlds that have a folder.
    func removeUnowned(besides sandboxes: [String: Sandbox.Record], _ worlds: [Int]) {
        let areKnown = !sandboxes.isEmpty && Self.areAllKnown(sandboxes)
        let named = Set(sandboxes.values.compactMap(\.world))
        for number in worlds {
            if named.contains(number) {
                unmark(world(number))
            } else if areKnown, isMarked(world(number)) {
                removeWorld(number)
            } else {
                // An empty folder can be removed in this way, but nothing else.
                rmdir(world(number))
            }
        }
        // After the default sandbox's first restore, its database at the root is no longer used. The lock of the folder makes an empty one.
        if sandboxes[SandboxName.defaultName]?.world == nil {
            unmark(root)
        } else if isMarked(root) || DatabaseBeginning(ofDatabase: database(in: root)) == .empty {
            DataFolder.removeDatabase(in: root)
        }
    }

    /// Whether the world of every sandbox is known.
    private static func areAllKnown(_ sandboxes: [String: Sandbox.Record]) -> Bool {
        sandboxes.allSatisfy { $0.key == SandboxName.defaultName || $0.value.world != nil }
    }

    /// Returns the databases that no description names, and that stay because no process has marked them.
    func unnamedDatabases(besides sandboxes: [String: Sandbox.Record]) throws(StorageError) -> [String] {
        // The one of a sandbox with a fault may be among them.
        guard Self.areAllKnown(sandboxes) else { return [] }
        let named = Set(sandboxes.values.compactMap(\.world))
        var folders = try worldNumbers().sorted().filter { !named.contains($0) && isOfSandbox($0) }.map(world)
        if sandboxes[SandboxName.defaultName]?.world != nil { folders.append(root) }
        return folders.map(database(in:)).filter { access($0, F_OK) == 0 }
    }
}
