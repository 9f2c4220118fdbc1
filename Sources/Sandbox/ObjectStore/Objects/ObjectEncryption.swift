/// The encryption that an object reports. The bytes are not encrypted; see `Sources/DECISIONS.md`.
/// (S3 User Guide, "Protecting data with server-side encryption".)
package struct ObjectEncryption: Hashable, Sendable {
    /// The kinds of server-side encryption.
    package enum Scheme: UInt8, Hashable, Sendable {
        /// With keys of the store, the default for objects without a record of their encryption.
        case store = 1
        /// With a key of the key management service.
        case keyService
        /// Twice, with keys of the key management service.
        case keyServiceTwice
        /// With a key that the client sends with each request.
        case customer
        /// With keys of the store and the cipher SM4.
        case storeSM4
        /// With a key of the key management service and the cipher SM4.
        case keyServiceSM4
    }

    /// The kind of encryption.
    package var scheme: Scheme
    /// The name of the key in the key management service.
    package var keyID: String?
    /// The encryption context, as the client sent it.
    package var context: String?
    /// Whether a bucket key is used, to save calls to the key management service.
    package var usesBucketKey: Bool
    /// The MD5 of the client's key, in base 64 as the client sent it.
    package var customerKeyMD5: String?
    /// A salted digest of the client's key, which the keys of later requests must match.
    package var customerKeyCheck: [UInt8]

    package init(
        scheme: Scheme, keyID: String? = nil, context: String? = nil, usesBucketKey: Bool = false,
        customerKeyMD5: String? = nil, customerKeyCheck: [UInt8] = []
    ) {
        self.scheme = scheme
        self.keyID = keyID
        self.context = context
        self.usesBucketKey = usesBucketKey
        self.customerKeyMD5 = customerKeyMD5
        self.customerKeyCheck = customerKeyCheck
    }
}
