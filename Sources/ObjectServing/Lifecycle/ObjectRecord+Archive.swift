package import Cloud
import ObjectStore

extension ObjectRecord {
    /// Whether the object is archived and has no available restored copy. (S3 User Guide, "Restoring an archived object".)
    package func isOutOfReach(by clock: SandboxClock) -> Bool {
        guard let name = attributes.storageClass, StorageClass(rawValue: name)?.isArchive == true else { return false }
        return restoration?.state(by: clock) != .available
    }
}
