package import WireFormats

/// The record of one object, without its body; independent of the dialect.
///
/// Keys are compared and ordered as UTF-8 bytes. `==` on records compares keys as Swift strings, by canonical equivalence: do not use it to
/// distinguish keys.
package struct ObjectRecord: Hashable, Sendable {
    /// The key.
    package var key: String
    /// The size of the body, in bytes.
    package var size: Int64
    /// The entity tag.
    package var entityTag: EntityTag
    /// When it was written.
    package var modified: Timestamp
    /// The headers and metadata of the object.
    package var attributes: ObjectAttributes
    /// The checksums, at most one for each algorithm.
    package var checksums: [Checksum]
    /// The account that owns the object.
    package var owner: String
    /// The version, which the store assigns.
    package internal(set) var version = ObjectVersion(sequence: 0, isNull: true)
    /// Tags, lock, access control and encryption.
    package var properties = ObjectProperties()
    /// The restored copy of an archived object; `nil` if no restoration was requested.
    package var restoration: Restoration?
    /// How the object was written.
    package var kind = ObjectKind.normal
}

/// A temporary copy of an archived object. (S3 User Guide, "Restoring an archived object".)
package struct Restoration: Hashable, Sendable {
    /// When the restored copy is removed.
    package var until: Timestamp
    /// When it was requested. Agings of the clock after this time also apply to the copy.
    package var declared: Timestamp
    /// When the copy is available; `nil` for immediately.
    package var ready: Timestamp?

    package init(until: Timestamp, declared: Timestamp, ready: Timestamp? = nil) {
        self.until = until
        self.declared = declared
        self.ready = ready
    }

    /// The progress of a restoration.
    package enum State: Hashable, Sendable {
        case underWay
        case available
        case over
    }
}

/// The data of a new object, without its body.
///
/// A class, because it has about sixty words, and several steps of a write pass it on.
package final class NewObject: Sendable {
    /// The key.
    package let key: String
    /// The headers and metadata of the object.
    package let attributes: ObjectAttributes
    /// MD5 of the body, 16 bytes.
    package let md5: [UInt8]
    /// The checksums to store.
    package let checksums: [Checksum]
    /// The account of the owner.
    package let owner: String
    /// When it is written.
    package let modified: Timestamp
    /// Tags, lock, access control and encryption.
    package let properties: ObjectProperties
    /// How the object is written.
    package let kind: ObjectKind

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
