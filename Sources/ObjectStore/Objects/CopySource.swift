/// The object that a copy reads.
package struct CopySource: Sendable {
    package var bucket: Bucket.ID
    package var key: String
    package var version: VersionSelector
    /// The tag that the caller has judged; an object changed meanwhile is ``ObjectStoreError/preconditionFailed``.
    /// Nil takes whatever is there.
    package var expecting: EntityTag?

    package init(bucket: Bucket.ID, key: String, version: VersionSelector = .current, expecting: EntityTag? = nil) {
        self.bucket = bucket
        self.key = key
        self.version = version
        self.expecting = expecting
    }
}
