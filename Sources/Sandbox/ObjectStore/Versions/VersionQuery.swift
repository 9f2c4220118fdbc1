import WireFormats

/// The parameters of a listing of versions. (S3 API Reference, `ListObjectVersions`.)
package struct VersionQuery: Sendable {
    /// The prefix of the keys; empty for all keys.
    package var prefix: String
    /// The delimiter: keys that contain it after the prefix are grouped into a common prefix; `nil` or empty for no grouping.
    package var delimiter: String?
    /// The key or common prefix after which the listing begins.
    package var keyMarker: String?
    /// A version of the key marker: the listing begins with older versions of that key.
    package var versionMarker: VersionSelector?
    /// The maximum number of entries, including common prefixes; 0 or less lists nothing.
    package var limit: Int

    package init(
        prefix: String = "", delimiter: String? = nil, keyMarker: String? = nil, versionMarker: VersionSelector? = nil,
        limit: Int = 1000
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.keyMarker = keyMarker
        self.versionMarker = versionMarker
        self.limit = limit
    }
}

/// One page of a listing of versions, ordered by the UTF-8 bytes of the key, with the newest version of each key first.
package struct VersionPage: Sendable {
    /// The versions, delete markers and common prefixes, in the order of their keys, the latest version first.
    package var entries: [VersionEntry]
    /// Whether there are further entries.
    package var isTruncated: Bool
    /// The key or common prefix of the last entry, after which the next page begins.
    package var lastKey: String?
    /// The version of the last entry, or `nil` if that is a common prefix.
    package var lastVersion: ObjectVersion?
}

/// An entry of a listing of versions.
package enum VersionEntry: Hashable, Sendable {
    case version(ListedVersion)
    /// A delete marker. Its object has only a key, an owner and a time.
    case deleteMarker(ListedVersion)
    case commonPrefix(String)
}

/// A version in a listing.
package struct ListedVersion: Hashable, Sendable {
    /// The object of the version.
    package var object: ListedObject
    /// The identity of the version.
    package var version: ObjectVersion
    /// Whether it is the latest version of its key.
    package var isLatest: Bool
}
