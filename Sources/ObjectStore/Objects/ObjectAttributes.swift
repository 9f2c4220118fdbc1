package import Policy

/// One field of the metadata that a client attaches to an object, without the dialect's prefix.
package struct MetadataField: Hashable, Sendable {
    /// The name, in lower case and without the prefix of the header field.
    package var name: String
    /// The value.
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What the writer of an object declares about it; kept as received and given back with the object.
package struct ObjectAttributes: Hashable, Sendable {
    /// The `Content-Type` field.
    package var contentType: String?
    /// The `Content-Encoding` field.
    package var contentEncoding: String?
    /// The `Content-Disposition` field.
    package var contentDisposition: String?
    /// The `Content-Language` field.
    package var contentLanguage: String?
    /// The `Cache-Control` field.
    package var cacheControl: String?
    /// The `Expires` field, which S3 keeps as text whether or not it is a date.
    package var expires: String?
    /// The dialect's own name of the class; nil for its default class.
    package var storageClass: String?
    /// In the order received.
    package var metadata: [MetadataField]
    /// Where a website sends whoever asks for the object.
    package var websiteRedirect: String?

    package init(
        contentType: String? = nil, contentEncoding: String? = nil, contentDisposition: String? = nil,
        contentLanguage: String? = nil, cacheControl: String? = nil, expires: String? = nil, storageClass: String? = nil,
        metadata: [MetadataField] = [], websiteRedirect: String? = nil
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.contentDisposition = contentDisposition
        self.contentLanguage = contentLanguage
        self.cacheControl = cacheControl
        self.expires = expires
        self.storageClass = storageClass
        self.metadata = metadata
        self.websiteRedirect = websiteRedirect
    }
}

/// What an object has beside its attributes, and what can change while it stays.
package struct ObjectProperties: Hashable, Sendable {
    /// In the order received.
    package var tags: [Tag]
    /// Nil where nobody but the owner has a grant.
    package var accessControl: AccessControlList?
    /// Until when the version cannot be deleted.
    package var lock: ObjectLock
    /// Nil for what every object has: keys of the store.
    package var encryption: ObjectEncryption?

    package init(
        tags: [Tag] = [], accessControl: AccessControlList? = nil, lock: ObjectLock = ObjectLock(),
        encryption: ObjectEncryption? = nil
    ) {
        self.tags = tags
        self.accessControl = accessControl
        self.lock = lock
        self.encryption = encryption
    }
}
