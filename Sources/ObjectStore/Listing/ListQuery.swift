package import WireFormats

/// Which objects of a bucket to list. S3 API Reference, `ListObjectsV2`.
package struct ListQuery: Sendable {
    /// Only keys that begin with this; empty for all.
    package var prefix: String
    /// Keys that have this after the prefix are rolled up into one common prefix; nil or empty for no rolling up.
    package var delimiter: String?
    /// List what comes after this key or common prefix: a marker, a start-after, or a page's ``ListPage/last``.
    /// A common prefix equal to it is left out, with all its keys.
    package var after: String?
    /// The greatest number of entries, common prefixes included; nothing is listed when it is 0 or less.
    package var limit: Int

    package init(prefix: String = "", delimiter: String? = nil, after: String? = nil, limit: Int = 1000) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.after = after
        self.limit = limit
    }
}

/// One page of a listing, in the order of the keys' UTF-8 bytes.
package struct ListPage: Sendable {
    /// The objects and common prefixes, in the order of their keys.
    package var entries: [ListEntry]
    /// Whether a further page has something in it.
    package var isTruncated: Bool
    /// The last entry's key or common prefix; nil when there is no entry. Its place in the order is where the next page
    /// begins.
    package var last: String?
}

/// An entry of a listing.
package enum ListEntry: Hashable, Sendable {
    case object(ListedObject)
    /// The part of the keys from their beginning to the end of the first delimiter after the prefix.
    case commonPrefix(String)
}

/// What a listing tells of an object.
package struct ListedObject: Hashable, Sendable {
    /// The key.
    package var key: String
    /// The size in bytes.
    package var size: Int64
    /// The entity tag.
    package var entityTag: EntityTag
    /// When it was written.
    package var modified: Timestamp
    /// The storage class, or `nil` for the bucket's default.
    package var storageClass: String?
    /// The account of the owner.
    package var owner: String
    /// The checksums that are kept.
    package var checksums: [Checksum]
    /// The state of a restored copy of an archived object.
    package var restoration: Restoration?
    /// How the object was written.
    package var kind = ObjectKind.normal
}
