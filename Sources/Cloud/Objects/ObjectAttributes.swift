/// One field of the metadata that a client attaches to an object, without the dialect's prefix.
package struct MetadataField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What the writer of an object declares about it; kept as received and given back with the object.
package struct ObjectAttributes: Hashable, Sendable {
    package var contentType: String?
    package var contentEncoding: String?
    package var contentDisposition: String?
    package var contentLanguage: String?
    package var cacheControl: String?
    /// The `Expires` field, which S3 keeps as text whether or not it is a date.
    package var expires: String?
    /// The dialect's own name of the class; nil for its default class.
    package var storageClass: String?
    /// In the order received.
    package var metadata: [MetadataField]

    package init(
        contentType: String? = nil, contentEncoding: String? = nil, contentDisposition: String? = nil,
        contentLanguage: String? = nil, cacheControl: String? = nil, expires: String? = nil, storageClass: String? = nil,
        metadata: [MetadataField] = []
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.contentDisposition = contentDisposition
        self.contentLanguage = contentLanguage
        self.cacheControl = cacheControl
        self.expires = expires
        self.storageClass = storageClass
        self.metadata = metadata
    }
}
