import WireFormats

/// The parameters of a listing of unfinished uploads. (S3 API Reference, `ListMultipartUploads`.)
package struct UploadQuery: Sendable {
    /// The prefix of the keys; empty for all keys.
    package var prefix: String
    /// The delimiter: keys that contain it after the prefix are grouped into a common prefix; `nil` or empty for no grouping.
    package var delimiter: String?
    /// The key or common prefix after which the listing begins.
    package var afterKey: String?
    /// An upload ID of ``afterKey``: the listing begins with uploads of that key with greater IDs. It is ignored without ``afterKey``.
    package var afterID: String?
    /// The maximum number of entries, including common prefixes; 0 or less lists nothing.
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

/// One page of uploads, ordered by the UTF-8 bytes of the key, then by age.
package struct UploadPage: Sendable {
    /// An entry of a listing of uploads.
    package enum Entry: Hashable, Sendable {
        case upload(MultipartUpload)
        case commonPrefix(String)
    }

    /// The uploads and common prefixes, in the order of their keys.
    package var entries: [Entry]
    /// Whether there are further entries.
    package var isTruncated: Bool
    /// The key or common prefix of the last entry; `nil` if there is no entry.
    package var lastKey: String?
    /// The upload ID of the last entry; `nil` if it is a common prefix or there is no entry.
    package var lastID: String?
}
