package import Cloud
import ObjectStore

extension ObjectRecord {
    /// Whether the object lies in an archive, and no copy of it can be read at present. (S3 User Guide, "Restoring an archived object".)
    package func isOutOfReach(by clock: SandboxClock) -> Bool {
        guard let name = attributes.storageClass, StorageClass(rawValue: name)?.isArchive == true else { return false }
        return restoration?.state(by: clock) != .available
    }
}
