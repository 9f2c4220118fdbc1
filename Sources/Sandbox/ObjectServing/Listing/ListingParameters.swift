package import ObjectStore
import WireFormats

/// The parameters that listings of keys, versions and uploads have in common. Each face parses and validates them.
package struct ListingParameters: Equatable, Sendable {
    /// The prefix of the keys.
    package var prefix: String
    /// The delimiter; `nil` for a listing without common prefixes.
    package var delimiter: String?
    /// How keys in the response are written.
    package var encoding: KeyEncoding
    /// The maximum number of entries; at most 1,000.
    package var limit: Int
    /// The number of entries that the client requested, as `MaxKeys` shows it.
    package var requested: Int
    /// The name of the encoding, as `EncodingType` shows it.
    package var encodingName: String

    /// - Parameters:
    ///   - requested: `nil` for the same as `limit`.
    ///   - encodingName: the name that the client wrote; services that do not repeat it write `url`.
    package init(
        prefix: String, delimiter: String?, encoding: KeyEncoding, limit: Int, requested: Int? = nil, encodingName: String = "url"
    ) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.encoding = encoding
        self.limit = limit
        self.requested = requested ?? limit
        self.encodingName = encodingName
    }

    /// Returns a key, prefix or marker as it is written in the response.
    package func spelled(_ text: String) -> String { encoding.encoded(text) }

    /// Returns the query for a listing of objects.
    /// - Parameter key: the key or common prefix after which it continues; `nil` for the beginning.
    package func objects(after key: String?) -> ListQuery {
        ListQuery(prefix: prefix, delimiter: delimiter, after: key, limit: limit)
    }

    /// Returns the query for a listing of uploads.
    /// - Parameters:
    ///   - key: the key after which it continues; empty for the beginning.
    ///   - id: the upload of that key after which it continues; empty for after all uploads of that key.
    package func uploads(afterKey key: String, id: String) -> UploadQuery {
        UploadQuery(
            prefix: prefix, delimiter: delimiter, afterKey: key.isEmpty ? nil : key, afterID: id.isEmpty ? nil : id, limit: limit)
    }

    /// Returns the query for a listing of versions.
    /// - Parameters:
    ///   - keyMarker: the key after which it continues; empty for the beginning.
    ///   - version: the version of that key after which it continues; `nil` for after all versions of that key.
    package func versions(afterKey keyMarker: String, _ version: VersionSelector?) -> VersionQuery {
        VersionQuery(
            prefix: prefix, delimiter: delimiter, keyMarker: keyMarker.isEmpty ? nil : keyMarker, versionMarker: version, limit: limit)
    }
}
