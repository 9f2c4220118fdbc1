/// Which versions of a bucket to list. S3 API Reference, `ListObjectVersions`.
package struct VersionQuery: Sendable {
    /// Only keys that begin with this; empty for all.
    package var prefix: String
    /// Keys that have this after the prefix are rolled up into one common prefix; nil or empty for no rolling up.
    package var delimiter: String?
    /// List what comes after this key or common prefix.
    package var keyMarker: String?
    /// List what is older than this version of the marked key, before the keys behind it.
    package var versionMarker: VersionSelector?
    /// The greatest number of entries, common prefixes included; nothing is listed when it is 0 or less.
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

/// One page of a listing of versions: in the order of the keys' UTF-8 bytes, each key's newest first.
package struct VersionPage: Sendable {
    /// The versions, delete markers and common prefixes, in the order of their keys, the latest version first.
    package var entries: [VersionEntry]
    /// Whether a further page has something in it.
    package var isTruncated: Bool
    /// The last entry's key or common prefix, and its version; where the next page begins.
    package var lastKey: String?
    /// The version of the last entry, or `nil` if that is a common prefix.
    package var lastVersion: ObjectVersion?
}

/// An entry of a listing of versions.
package enum VersionEntry: Hashable, Sendable {
    case version(ListedVersion)
    /// Its object has a key, an owner and a time, and nothing else.
    case deleteMarker(ListedVersion)
    case commonPrefix(String)
}

/// What a listing tells of a version.
package struct ListedVersion: Hashable, Sendable {
    /// What a listing tells of the version.
    package var object: ListedObject
    /// Which version it is.
    package var version: ObjectVersion
    /// Whether it is what its key leads to.
    package var isLatest: Bool
}
