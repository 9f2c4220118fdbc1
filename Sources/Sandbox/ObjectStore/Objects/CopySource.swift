/// The object that a copy reads.
package struct CopySource: Sendable {
    /// The bucket of the source.
    package var bucket: Bucket.ID
    /// The key of the source.
    package var key: String
    /// The version of the source.
    package var version: VersionSelector
    /// The entity tag of the source that the caller has checked; `nil` to accept any. If the object changed in the meantime, the copy fails
    /// with ``ObjectStoreError/preconditionFailed``.
    package var expecting: EntityTag?

    package init(bucket: Bucket.ID, key: String, version: VersionSelector = .current, expecting: EntityTag? = nil) {
        self.bucket = bucket
        self.key = key
        self.version = version
        self.expecting = expecting
    }
}
