package import WireFormats

/// The parameters of a listing of objects. (S3 API Reference, `ListObjectsV2`.)
package struct ListQuery: Sendable {
    /// The prefix of the keys; empty for all keys.
    package var prefix: String
    /// The delimiter: keys that contain it after the prefix are grouped into a common prefix; `nil` or empty for no grouping.
    package var delimiter: String?
    /// The key or common prefix after which the listing begins: a marker, a start-after, or a page's ``ListPage/last``.
    /// If it is a common prefix, all of its keys are skipped.
    package var after: String?
    /// The maximum number of entries, including common prefixes; 0 or less lists nothing.
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
    /// Whether there are further entries.
    package var isTruncated: Bool
    /// The key or common prefix of the last entry, after which the next page begins; `nil` if there is no entry.
    package var last: String?
}

/// An entry of a listing.
package enum ListEntry: Hashable, Sendable {
    case object(ListedObject)
    /// A common prefix: the beginning of keys up to the first delimiter after the prefix.
    case commonPrefix(String)
}

/// An object in a listing.
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
    /// The stored checksums.
    package var checksums: [Checksum]
    /// The state of a restored copy of an archived object.
    package var restoration: Restoration?
    /// How the object was written.
    package var kind = ObjectKind.normal
}
