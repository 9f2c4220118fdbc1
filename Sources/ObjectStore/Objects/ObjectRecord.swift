package import WireFormats

/// What the store knows of one object besides its body; spelled in no dialect.
///
/// Keys are compared and ordered by their UTF-8 bytes. `==` on two records compares keys as Swift compares strings, by
/// canonical equivalence: do not use it to tell keys apart.
package struct ObjectRecord: Hashable, Sendable {
    /// The key.
    package var key: String
    /// Bytes of the body.
    package var size: Int64
    /// The entity tag.
    package var entityTag: EntityTag
    /// When it was written.
    package var modified: Timestamp
    /// The header fields and metadata that belong to the content.
    package var attributes: ObjectAttributes
    /// At most one for each algorithm.
    package var checksums: [Checksum]
    /// The account that owns the object.
    package var owner: String
    /// Given by the store.
    package internal(set) var version = ObjectVersion(sequence: 0, isNull: true)
    /// Tags, lock, access control and encryption.
    package var properties = ObjectProperties()
    /// Nil unless a copy of an archived object was asked for.
    package var restoration: Restoration?
    /// How the object was written.
    package var kind = ObjectKind.normal
}

/// A copy of an archived object that can be read for a while. (S3 User Guide, "Restoring an archived object".)
package struct Restoration: Hashable, Sendable {
    /// When the restored copy goes.
    package var until: Timestamp
    /// When it was asked for: what ages the end of the copy.
    package var declared: Timestamp
    /// When the copy is there; nil where it is at once.
    package var ready: Timestamp?

    package init(until: Timestamp, declared: Timestamp, ready: Timestamp? = nil) {
        self.until = until
        self.declared = declared
        self.ready = ready
    }

    /// How far a restoration is.
    package enum State: Hashable, Sendable {
        case underWay
        case available
        case over
    }
}

/// What a put says of the object that it makes.
package struct NewObject: Sendable {
    /// The key.
    package var key: String
    /// The header fields and metadata that belong to the content.
    package var attributes: ObjectAttributes
    /// MD5 of the body, 16 bytes.
    package var md5: [UInt8]
    /// The checksums to keep.
    package var checksums: [Checksum]
    /// The account of the owner.
    package var owner: String
    /// When it is written.
    package var modified: Timestamp
    /// Tags, lock, access control and encryption.
    package var properties: ObjectProperties
    /// How the object is written.
    package var kind: ObjectKind

    package init(
        key: String, attributes: ObjectAttributes = ObjectAttributes(), md5: [UInt8], checksums: [Checksum] = [],
        owner: String, modified: Timestamp, properties: ObjectProperties = ObjectProperties(), kind: ObjectKind = .normal
    ) {
        self.key = key
        self.attributes = attributes
        self.md5 = md5
        self.checksums = checksums
        self.owner = owner
        self.modified = modified
        self.properties = properties
        self.kind = kind
    }
}
