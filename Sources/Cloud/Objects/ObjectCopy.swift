package import WireFormats

/// The object that a copy reads.
package struct CopySource: Sendable {
    package var bucket: Bucket.ID
    package var key: String
    /// The tag that the caller has judged; an object changed meanwhile is ``ObjectStoreError/preconditionFailed``.
    /// Nil takes whatever is there.
    package var expecting: EntityTag?

    package init(bucket: Bucket.ID, key: String, expecting: EntityTag? = nil) {
        self.bucket = bucket
        self.key = key
        self.expecting = expecting
    }
}

/// What a copy says of the object that it makes; what is nil stays as in the source.
package struct CopiedObject: Sendable {
    package var key: String
    package var owner: String
    package var modified: Timestamp
    package var attributes: ObjectAttributes?
    /// Given by a face that hashes the source first, to give a copied multipart object the MD5 of its whole body.
    package var entityTag: EntityTag?
    package var checksums: [Checksum]?

    package init(
        key: String, owner: String, modified: Timestamp, attributes: ObjectAttributes? = nil,
        entityTag: EntityTag? = nil, checksums: [Checksum]? = nil
    ) {
        self.key = key
        self.owner = owner
        self.modified = modified
        self.attributes = attributes
        self.entityTag = entityTag
        self.checksums = checksums
    }
}
