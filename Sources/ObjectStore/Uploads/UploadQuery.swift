/// Which unfinished uploads of a bucket to list. S3 API Reference, `ListMultipartUploads`.
package struct UploadQuery: Sendable {
    /// Only keys that begin with this; empty for all.
    package var prefix: String
    /// Keys that have this after the prefix are rolled up into one common prefix; nil or empty for no rolling up.
    package var delimiter: String?
    /// List what comes after this key or common prefix.
    package var afterKey: String?
    /// With ``afterKey``: list that key's uploads whose identifier is greater too. Ignored without it.
    package var afterID: String?
    /// The greatest number of entries, common prefixes included; nothing is listed when it is 0 or less.
    package var limit: Int

    package init(
        prefix: String = "", delimiter: String? = nil, afterKey: String? = nil, afterID: String? = nil, limit: Int = 1000
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.afterKey = afterKey
        self.afterID = afterID
        self.limit = limit
    }
}

/// One page of uploads, by key in the order of UTF-8 bytes, then by age.
package struct UploadPage: Sendable {
    /// An entry of a listing of uploads.
    package enum Entry: Hashable, Sendable {
        case upload(MultipartUpload)
        case commonPrefix(String)
    }

    /// The uploads and common prefixes, in the order of their keys.
    package var entries: [Entry]
    /// Whether a further page has something in it.
    package var isTruncated: Bool
    /// The last entry's key or common prefix; nil when there is no entry.
    package var lastKey: String?
    /// The last entry's identifier; nil when it is a common prefix or there is no entry.
    package var lastID: String?
}
