import Cloud
import ObjectStore
import WireFormats

extension ObjectRecord {
    /// Returns the archive class that keeps the object from being read now; `nil` for an object of another class and for one with a restored
    /// copy. (S3 User Guide, "Restoring an archived object"; OSS User Guide, "Restore objects".)
    func archive(by clock: SandboxClock) -> StorageClass? {
        guard let name = attributes.storageClass, let storageClass = StorageClass(rawValue: name), storageClass.isArchive,
            restoration?.state(by: clock) != .available
        else { return nil }
        return storageClass
    }
}
