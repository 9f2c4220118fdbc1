package import ObjectStore
import WireFormats

/// What the listings of keys, versions and uploads are asked with alike. Each door reads and judges them its own way.
package struct ListingParameters: Equatable, Sendable {
    /// The prefix of the keys.
    package var prefix: String
    /// `nil` if keys are not to be rolled up.
    package var delimiter: String?
    /// Whether keys are percent-encoded in the answer, so that every one of them can stand in XML.
    package var isEncoded: Bool
    /// At most 1,000.
    package var limit: Int

    package init(prefix: String, delimiter: String?, isEncoded: Bool, limit: Int) {
        self.prefix = prefix
        self.delimiter = delimiter
        self.isEncoded = isEncoded
        self.limit = limit
    }

    /// A key, prefix or marker as the answer spells it.
    package func spelled(_ text: String) -> String { isEncoded ? percentEncoded(text, keepingSlash: true) : text }

    /// What a listing of objects asks the store for.
    /// - Parameter key: the key or common prefix that it goes on after; `nil` for the beginning.
    package func objects(after key: String?) -> ListQuery {
        ListQuery(prefix: prefix, delimiter: delimiter, after: key, limit: limit)
    }

    /// What a listing of uploads asks the store for.
    /// - Parameters:
    ///   - key: empty where the listing begins with the first key.
    ///   - id: empty where it begins behind all uploads of that key.
    package func uploads(afterKey key: String, id: String) -> UploadQuery {
        UploadQuery(
            prefix: prefix, delimiter: delimiter, afterKey: key.isEmpty ? nil : key, afterID: id.isEmpty ? nil : id, limit: limit)
    }

    /// What a listing of versions asks the store for.
    /// - Parameters:
    ///   - keyMarker: empty where the listing begins with the first key.
    ///   - version: `nil` if it begins behind all versions of that key.
    package func versions(afterKey keyMarker: String, _ version: VersionSelector?) -> VersionQuery {
        VersionQuery(
            prefix: prefix, delimiter: delimiter, keyMarker: keyMarker.isEmpty ? nil : keyMarker, versionMarker: version, limit: limit)
    }
}
