package import Policy

/// A field of an object's user metadata, without the dialect's prefix.
package struct MetadataField: Hashable, Sendable {
    /// The name, in lower case and without the prefix of the header.
    package var name: String
    /// The value.
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The headers of an object as its writer sent them. They are returned with the object.
package struct ObjectAttributes: Hashable, Sendable {
    /// The `Content-Type` header.
    package var contentType: String?
    /// The `Content-Encoding` header.
    package var contentEncoding: String?
    /// The `Content-Disposition` header.
    package var contentDisposition: String?
    /// The `Content-Language` header.
    package var contentLanguage: String?
    /// The `Cache-Control` header.
    package var cacheControl: String?
    /// The `Expires` header, which S3 stores as text even if it is not a date.
    package var expires: String?
    /// The dialect's name of the storage class; `nil` for the default class.
    package var storageClass: String?
    /// The user metadata, in its original order.
    package var metadata: [MetadataField]
    /// The location to which a website redirects requests for the object.
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

/// The properties of an object that can change while its content stays the same.
package struct ObjectProperties: Hashable, Sendable {
    /// The tags, in their original order.
    package var tags: [Tag]
    /// The ACL; `nil` if only the owner has a grant.
    package var accessControl: AccessControlList?
    /// The retention and the legal hold of the version.
    package var lock: ObjectLock
    /// The encryption; `nil` for the default encryption with keys of the store.
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
